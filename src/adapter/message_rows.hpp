// The messages of the protocol as data: from these rows lines are read and written (adapter_message.hpp), and the
// schema and the table of the docs are made, so that they cannot differ.
//
//   for (const MessageRow& row : message_rows()) ...
//   text_of_json(adapter_schema(), 2);      // a JSON Schema of one line
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
    std::optional<std::vector<AdapterServer>> AdapterMessage::*, std::optional<nlohmann::json> AdapterMessage::*>;

struct MessageField {
  const char* name = "";
  MessageMember member;  // its type is the field's
  bool required = false;
  const char* about = "";            // for people
  Bounds bounds{0, kLargestExact};   // of a number
  std::vector<std::string> words{};  // of a text, or of each of several: the known ones; empty: any
};

struct MessageRow {
  MessageName name;
  const char* word = "";
  Direction direction = Direction::request;
  std::vector<MessageField> fields;
  const char* about = "";
  std::vector<MessageName> answers{};  // of a request: what may be answered
  const char* can = "";                // the word without which it is never said; empty: every adapter must know it
};

const std::vector<MessageRow>& message_rows();
const MessageRow& row_of(MessageName name);
bool may_answer(MessageName request, MessageName answer);

// What an adapter may say that it can.
struct CanWord {
  const char* word = "";
  const char* about = "";
};
std::vector<std::string> can_names();

Schema adapter_schema();
std::string adapter_table();

}  // namespace holdfast
