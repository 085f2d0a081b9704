// The protocol's messages as data: lines are read and written from these rows (adapter_message.hpp), and the schema and
// the docs' table are generated from them, so they always agree.
//
//   for (const MessageRow& row : message_rows()) ...
//   text_of_json(adapter_schema(), 2);      // JSON Schema of one line
//   adapter_table();               // Markdown
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "adapter/adapter_message.hpp"
#include "artifact/scenario_tables.hpp"

namespace holdfast {

enum class Direction : std::uint8_t { request, answer, unasked };

using MessageMember = std::variant<
    std::optional<std::int64_t> AdapterMessage::*, std::optional<std::uint64_t> AdapterMessage::*,
    std::optional<std::string> AdapterMessage::*, std::optional<std::vector<std::string>> AdapterMessage::*,
    std::optional<std::vector<AdapterServer>> AdapterMessage::*, std::optional<nlohmann::json> AdapterMessage::*,
    std::optional<bool> AdapterMessage::*, std::optional<std::vector<AssertionName>> AdapterMessage::*>;

struct MessageField {
  const char* name = "";
  MessageMember member;  // determines the field's type
  bool required = false;
  const char* about = "";            // for the docs
  Bounds bounds{0, kLargestExact};   // of a number
  std::vector<std::string> words{};  // allowed values of a text, or of each of several; empty: any
};

struct MessageRow {
  MessageName name;
  const char* word = "";
  Direction direction = Direction::request;
  std::vector<MessageField> fields;
  const char* about = "";
  std::vector<MessageName> answers{};  // of a request: possible answers
  const char* can = "";                // the ability required to send it; empty: every adapter must support it
};

const std::vector<MessageRow>& message_rows();
const MessageRow& row_of(MessageName name);
bool may_answer(MessageName request, MessageName answer);

// An ability that an adapter may declare.
struct CanWord {
  const char* word = "";
  const char* about = "";
};
std::vector<std::string> can_names();

Schema assertion_schema();  // of one entry of a list of assertions
Schema adapter_schema();
std::string adapter_table();

}  // namespace holdfast
