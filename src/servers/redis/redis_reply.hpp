// Reads answers of a Redis server, in the words of session.hpp (see redis_connection.hpp for what they mean). The
// server is not trusted: what is no answer, nests deeper than any answer of ours does, or passes the limit is refused.
// The reader is our own, since the client library's knows no limit.
//
//   RedisReplies replies([&](char* buffer, std::size_t room) { return stream.read(buffer, room); });
//   AnswerLimit limit(kMostOfAnswer);
//   Reply r = replies.next(limit);      // BadAnswer
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "store/session.hpp"
#include "store/transport.hpp"

namespace holdfast {

struct BadAnswer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reply::error of a refusal by a Redis server: it has words ("LOADING ..."), by which it is sorted, and no numbers.
inline constexpr int kRedisError = 1;

class RedisReplies {
 public:
  using More = std::function<std::size_t(char* buffer, std::size_t room)>;  // at least one byte, or throws
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

}  // namespace holdfast
