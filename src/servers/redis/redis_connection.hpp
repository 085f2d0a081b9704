// A connection to a Redis server that never hangs, and its answers as Reply objects.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/session.hpp"
#include "store/transport.hpp"

namespace holdfast {

// Reads answers of a Redis server as Reply objects (session.hpp). The server is not trusted: invalid answers, deeper
// nesting than any expected answer has, and answers beyond the limit are refused. This parser exists because the client
// library's has no limit.
//
//   RedisReplies replies([&](char* buffer, std::size_t room) { return stream.read(buffer, room); });
//   AnswerLimit limit(kMostOfAnswer);
//   Reply r = replies.next(limit);      // throws BadAnswer

struct BadAnswer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reply::error of a refusal by a Redis server: Redis errors have words ("LOADING ..."), by which they are classified,
// not numbers.
inline constexpr int kRedisError = 1;

class RedisReplies {
 public:
  using More = std::function<std::size_t(char* buffer, std::size_t room)>;  // returns at least one byte, or throws
  explicit RedisReplies(More more) : more_(std::move(more)) {}
  Reply next(AnswerLimit& limit);

 private:
  char byte();
  std::string line();
  std::string text(std::int64_t length);
  std::int64_t number();
  void keep(Reply& out, Field field);
  void add_rows(Reply& out, int depth);
  void add_array(Reply& out, std::int64_t count, int depth);

  More more_;
  AnswerLimit* limit_ = nullptr;
  std::string buffer_;
  std::size_t at_ = 0;
};

struct RedisAddress {
  std::string host;
  int port = 6379;
  std::int64_t timeout_ms = 1000;
  std::string user;  // empty: the default user
  std::string password;
  int database = 0;
  Security security{};
};

// A connection to a Redis server that never hangs: connecting, reading and writing have time-outs. Connects on first
// use and again after a loss. A command is sent as a list of arguments, so no quoting is needed.
//
//   RedisConnection db({"10.77.0.2", 6379});
//   Reply r = db.command({"SET", "orders", "6f1c", "NX", "PX", "2000"});
//
// Conversion to a Reply: a status (OK) is one change; an integer is the number of changes, as Redis counts them; nil is
// no change; a value is a row without a change. A server's error is in the reply, except if a script may have changed
// something before it failed: that is indeterminate.
class RedisConnection {
 public:
  explicit RedisConnection(RedisAddress address);
  ~RedisConnection();
  RedisConnection(RedisConnection&&) noexcept;

  void connect();  // if necessary. Throws StatementFailed (definite, unavailable): nothing was sent.
  Reply command(const std::vector<std::string>& arguments);
  void close();
  std::uint64_t id() const { return id_; }  // CLIENT ID; 0: not connected

 private:
  struct Handle;
  Reply send(const std::vector<std::string>& arguments);
  Reply introduce(const std::vector<std::string>& arguments);
  [[noreturn]] void lost(const std::string& text, bool late);

  RedisAddress address_;
  std::unique_ptr<Handle> handle_;
  std::uint64_t id_ = 0;
};

}  // namespace holdfast
