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
  std::int64_t sent_ns = 0;  // call of the acquire that brought it, or of the write that carried it
  std::int64_t seen_ns = 0;  // when its answer was seen
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint64_t index = 0;
};

// Copies the token: the one that LatestToken points to changes with the next token.
inline std::optional<Token> copy(const Token* token) {
  return token != nullptr ? std::optional(*token) : std::nullopt;
}

class LatestToken {
 public:
  void add(const Token& token, std::int64_t time_ns) {  // times do not decrease
    if (any_newest_ && newest_ns_ < time_ns) {
      settled_ = *largest();
      any_settled_ = true;
      any_newest_ = false;
    }
    if (!any_newest_ || token.value > newest_.value) newest_ = token;
    any_newest_ = true;
    newest_ns_ = time_ns;
  }
  // Null: none. The pointer is valid until the next `add`.
  const Token* largest_before(std::int64_t time_ns) const {
    if (any_newest_ && newest_ns_ < time_ns) return largest();
    return any_settled_ ? &settled_ : nullptr;
  }
  const Token* largest() const {
    const bool newest = any_newest_ && !(any_settled_ && settled_.value >= newest_.value);
    return newest ? &newest_ : any_settled_ ? &settled_ : nullptr;
  }

 private:
  bool any_settled_ = false;
  bool any_newest_ = false;
  Token settled_;
  Token newest_;  // the largest that came at newest_ns_
  std::int64_t newest_ns_ = 0;
};

}  // namespace holdfast
