// The largest fencing token seen so far, asked for "strictly before this moment": equal time stamps order nothing.
//
//   LatestToken granted;
//   granted.add(token, 10);
//   granted.largest_before(10)   // nothing
//   granted.largest_before(11)   // the token
#pragma once

#include <cstdint>
#include <optional>

namespace holdfast {

struct Token {
  std::uint64_t value = 0;
  std::int64_t sent_ns = 0;  // of the acquire that brought it, or of the write that carried it
  std::int64_t seen_ns = 0;  // when its answer was seen
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint64_t index = 0;
};

class LatestToken {
 public:
  void add(const Token& token, std::int64_t time_ns) {  // times do not decrease
    if (newest_ && newest_ns_ < time_ns) {
      settled_ = larger(settled_, *newest_);
      newest_.reset();
    }
    newest_ = larger(newest_, token);
    newest_ns_ = time_ns;
  }
  std::optional<Token> largest_before(std::int64_t time_ns) const {
    return newest_ && newest_ns_ < time_ns ? larger(settled_, *newest_) : settled_;
  }
  std::optional<Token> largest() const { return newest_ ? larger(settled_, *newest_) : settled_; }

 private:
  static std::optional<Token> larger(const std::optional<Token>& a, const Token& b) {
    return a && a->value >= b.value ? *a : b;
  }
  std::optional<Token> settled_;
  std::optional<Token> newest_;
  std::int64_t newest_ns_ = 0;
};

}  // namespace holdfast
