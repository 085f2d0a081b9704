// Steps through a value of plain JSON (plain_line.hpp), eight bytes at a time; every step returns whether the text is
// still plain. It may read kLinePadding bytes after the text but never treats them as part of it: the caller must check
// `inside()` before each member.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "history/plain_digits.hpp"

namespace holdfast {

// Bytes that must be readable after a scanned text.
inline constexpr std::size_t kLinePadding = 64;

class PlainScan {
 public:
  explicit PlainScan(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool inside() const { return at_ < end_; }
  bool peek(char c) const { return *at_ == c; }
  void blanks() {
    while (*at_ == ' ' || *at_ == '\t') {
      if (++at_ >= end_) return;
    }
  }
  [[gnu::always_inline]] bool take(char c) {
    if (*at_ != c) {  // usually there is no blank
      blanks();
      if (*at_ != c) return false;
    }
    ++at_;
    return at_ <= end_;
  }
  // Takes exactly these bytes.
  bool word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::string_view(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  // A word of at most eight bytes between quotes; 0, without taking anything, if it is longer or contains a zero byte.
  [[gnu::always_inline]] std::uint64_t short_word() {
    const std::uint64_t bytes = eight_bytes(at_ + 1);
    const std::uint64_t stops = zeros(bytes ^ kAll * '"') | zeros(bytes);
    const int size = std::countr_zero(stops) / 8;  // 8: none
    if (size == 0 || *at_ != '"' || at_[size + 1] != '"') return 0;
    at_ += size + 2;
    return bytes & first_bytes(static_cast<std::size_t>(size));
  }
  // Between quotes; printable ASCII without escapes.
  bool text(std::string_view& out) {
    if (*at_ != '"') return false;
    const char* const from = ++at_;
    for (; at_ < end_; at_ += 8) {
      const std::uint64_t bytes = eight_bytes(at_);
      const std::uint64_t stops = zeros(bytes ^ kAll * '"') | zeros(bytes ^ kAll * '\\') | zeros(bytes ^ kAll * 0x7f) |
                                  ((bytes - kAll * 0x20) & ~bytes & kHigh) | (bytes & kHigh);
      if (stops == 0) continue;
      at_ += std::countr_zero(stops) / 8;
      out = {from, static_cast<std::size_t>(at_ - from)};
      return *at_++ == '"' && at_ <= end_;
    }
    return false;
  }
  // Digits without a sign, a fraction or a leading zero, at most 19; any other character ends them.
  bool digits(std::uint64_t& out) {
    const FoundNumber found = find_number(at_);
    if (found.end == nullptr) return false;
    out = found.value;
    at_ = found.end;
    return ends_number();
  }
  // Skips the value of an unknown field; cases that could be invalid in several ways are left to the parser.
  bool any_value(int depth = 0) {
    std::string_view ignored;
    if (!inside()) return false;
    switch (*at_) {
      case '"':
        return text(ignored);
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      case '[':
        return any_array(depth);
      default:
        return any_number();
    }
  }
  bool at_digit() const { return *at_ >= '0' && *at_ <= '9'; }
  const char* at() const { return at_; }

 private:
  static constexpr std::uint64_t kAll = digits::kEach;
  static constexpr std::uint64_t kHigh = digits::kHigh;
  static constexpr int kDeepest = 4;

  static std::uint64_t first_bytes(std::size_t count) {
    return count >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * count)) - 1;
  }
  // The highest bit of each byte that is 0; exact up to the first one.
  static std::uint64_t zeros(std::uint64_t bytes) { return (bytes - kAll) & ~bytes & kHigh; }
  bool ends_number() const { return at_ < end_ && (*at_ == ',' || *at_ == '}' || *at_ == ' ' || *at_ == ']'); }
  bool any_array(int depth) {
    if (depth == kDeepest) return false;
    ++at_;
    blanks();
    if (inside() && take(']')) return true;
    do {
      blanks();
      if (!any_value(depth + 1)) return false;
      blanks();
    } while (inside() && take(','));
    return inside() && take(']');
  }
  bool any_number() {
    std::uint64_t ignored = 0;
    if (*at_ == '-') ++at_;
    const char* const from = at_;
    if (digits(ignored)) return true;
    if (at_ == from || at_ - from > 15 || (at_ - from > 1 && *from == '0') || !inside() || *at_ != '.') return false;
    const char* const fraction = ++at_;
    while (at_ < end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ > fraction && ends_number();
  }

  const char* at_;
  const char* end_;
};

}  // namespace holdfast
