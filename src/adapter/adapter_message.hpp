// One line of the conversation with an adapter, version 1: a program in any language that wraps a lock library and
// reads requests from its standard input, one JSON object a line, and answers on its standard output.
//
//   > {"do":"acquire","lease_ms":1000,"lock":"orders","n":7,"wait_ms":0}
//   < {"is":"ok","n":7,"token":12}
//   < {"is":"lost","lock":"orders"}                     unasked
//
// A request says what to `do`, an answer or an unasked message what `is`. Which fields each has, and of what type, is
// data (message_rows.hpp): reading, writing, the schema and the table of the docs are all made of it.
//
// Read strictly: a line that is no such message is refused as BadMessage, whose text shows the line, clipped.
//
// What it does not do: it knows nothing of which answer belongs to which request; that is AdapterProgram's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

inline constexpr std::int64_t kAdapterProtocol = 1;
inline constexpr std::size_t kLongestMessage = std::size_t{64} << 10;       // bytes of a line, without its end
inline constexpr std::int64_t kLargestExact = (std::int64_t{1} << 53) - 1;  // what a reader in any language keeps exact

enum class MessageName : std::uint8_t {
  // what we say
  hello,
  acquire,
  renew,
  release,
  pulse,
  owned,
  cancel,
  block,
  bye,
  // what it answers
  ready,
  ok,
  busy,
  info,
  fail,
  not_held,
  yes,
  no,
  // what it says unasked
  lost,
  suspect,
  granted,
  leader,
  log,
};

// A server, as the adapter is to reach it.
struct AdapterServer {
  std::string kind;  // a kind of server, as locks name it
  std::string role;  // "lock", "replica": what it is to the lock
  std::string host;
  std::int64_t port = 0;
  std::string user{};      // where the kind of server has users; without a password
  std::string database{};  // where it has such things
  bool operator==(const AdapterServer&) const = default;
};

// Any message: what its row does not name stays absent.
struct AdapterMessage {
  MessageName name = MessageName::hello;
  std::optional<std::int64_t> n{};  // of a request, and of its answer
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
  std::optional<std::uint64_t> token{};
  std::optional<std::string> owner{};
  std::optional<std::string> lock{};
  std::optional<std::string> mode{};
  std::optional<std::string> adapter{};  // its `name`
  std::optional<std::string> version{};
  std::optional<std::string> why{};
  std::optional<std::string> holder{};
  std::optional<std::string> text{};
  std::optional<std::vector<std::string>> locks{};
  std::optional<std::vector<std::string>> can{};
  std::optional<std::vector<AdapterServer>> servers{};
  std::optional<nlohmann::json> options{};  // an object
};

// A line that is no message. The text says what is wrong and shows the line.
struct BadMessage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The word in a line: "acquire", "not_held".
const char* to_text(MessageName name);

// Without the line's end. A value that its row does not have, or that it lacks, is a mistake of ours: throws
// std::logic_error.
std::string to_line(const AdapterMessage& message);

// What an adapter says: answers and unasked messages. Throws BadMessage.
AdapterMessage read_adapter_line(std::string_view line);

// What an adapter is told, for adapters in this language. Throws BadMessage.
AdapterMessage read_request_line(std::string_view line);

// A line as an error shows it: well-formed and clipped; who prints it makes it visible.
std::string shown_line(std::string_view line);

}  // namespace holdfast
