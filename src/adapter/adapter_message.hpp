// One line of the adapter protocol, version 1. An adapter is a program in any language that wraps a lock library; it
// reads requests from standard input, one JSON object per line, and answers on standard output.
//
//   > {"do":"acquire","lease_ms":1000,"lock":"orders","n":7,"wait_ms":0}
//   < {"is":"ok","n":7,"token":12}
//   < {"is":"lost","lock":"orders"}                     sent unasked
//
// A request has the field `do`; an answer or unasked message has `is`. Fields and their types are data
// (message_rows.hpp), from which reading, writing, the schema and the docs' table are derived. Leases and waits are in
// milliseconds.
//
// Reading is strict: an invalid line throws BadMessage, whose text shows the line, clipped.
//
// It does not match answers to requests; AdapterProgram does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/assertion.hpp"

namespace holdfast {

inline constexpr std::int64_t kAdapterProtocol = 1;
inline constexpr std::size_t kLongestMessage = std::size_t{64} << 10;       // bytes of a line, without its end
inline constexpr std::int64_t kLargestExact = (std::int64_t{1} << 53) - 1;  // largest integer exact in every language

enum class MessageName : std::uint8_t {
  // requests
  hello,
  acquire,
  renew,
  release,
  pulse,
  owned,
  cancel,
  block,
  bye,
  // answers
  ready,
  ok,
  busy,
  info,
  fail,
  not_held,
  yes,
  no,
  // unasked messages
  lost,
  suspect,
  granted,
  leader,
  log,
  always,
  sometimes,
  reached,
};

// A server, as the adapter reaches it.
struct AdapterServer {
  std::string kind;  // a kind of server, as locks name it
  std::string role;  // role for the lock: "lock" or "replica"
  std::string host;
  std::int64_t port = 0;
  std::string user{};      // for kinds of server with users; without a password
  std::string database{};  // for kinds of server with databases
  bool operator==(const AdapterServer&) const = default;
};

// Any message; fields that are not in its row stay absent.
struct AdapterMessage {
  MessageName name = MessageName::hello;
  std::optional<std::int64_t> n{};  // number of a request and its answer
  std::optional<std::int64_t> v{};
  std::optional<std::int64_t> client{};
  std::optional<std::int64_t> seed{};
  std::optional<std::int64_t> lease_ms{};
  std::optional<std::int64_t> wait_ms{};  // 0: try once; absent: for ever
  std::optional<std::int64_t> thread{};
  std::optional<std::int64_t> permits{};
  std::optional<std::int64_t> of{};  // the n of an open acquire
  std::optional<std::int64_t> ms{};
  std::optional<std::int64_t> wall_ms{};  // the adapter's own wall clock, since 1970
  std::optional<std::int64_t> count{};    // of an assertion: evaluations with the same result; absent: one
  std::optional<std::uint64_t> token{};
  std::optional<std::string> owner{};
  std::optional<std::string> lock{};
  std::optional<std::string> mode{};
  std::optional<std::string> adapter{};  // the adapter's name
  std::optional<std::string> version{};
  std::optional<std::string> why{};
  std::optional<std::string> holder{};
  std::optional<std::string> text{};
  std::optional<std::string> assertion{};  // its name
  std::optional<bool> holds{};             // its result
  std::optional<std::vector<std::string>> locks{};
  std::optional<std::vector<std::string>> can{};
  std::optional<std::vector<AdapterServer>> servers{};
  std::optional<std::vector<AssertionName>> assertions{};  // that it may make
  std::optional<nlohmann::json> options{};                 // an object
};

// An invalid line. The text says what is wrong and shows the line.
struct BadMessage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The word in a line: "acquire", "not_held".
const char* to_text(MessageName name);

// Formats a message without the line's end. Throws std::logic_error if a value is missing or not in the message's row:
// a mistake of this program.
std::string to_line(const AdapterMessage& message);

// Parses a line from an adapter: an answer or an unasked message. Throws BadMessage.
AdapterMessage read_adapter_line(std::string_view line);

// Parses a request, for adapters in C++. Throws BadMessage.
AdapterMessage read_request_line(std::string_view line);

// Formats a line for an error: well-formed and clipped. The printer makes it visible.
std::string shown_line(std::string_view line);

}  // namespace holdfast
