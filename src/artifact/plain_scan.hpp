// Steps through a line of plain JSON (plain_line.hpp); every step says whether the line is still plain.
#pragma once

#include <string_view>

namespace holdfast {

class PlainScan {
 public:
  explicit PlainScan(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  void blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  bool take(char c) {
    blanks();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool peek(char c) const { return at_ != end_ && *at_ == c; }
  bool done() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
    return at_ == end_;
  }
  // Between quotes; printable ASCII without escapes.
  bool text(std::string_view& out) {
    if (!take('"')) return false;
    const char* from = at_;
    while (at_ != end_ && *at_ != '"') {
      if (*at_ < 0x20 || *at_ == '\\' || *at_ == 0x7f) return false;  // a byte from 0x80 on is negative here
      ++at_;
    }
    out = {from, static_cast<std::size_t>(at_ - from)};
    return take('"');
  }
  // Digits without a sign, a fraction or a leading zero.
  bool digits(std::string_view& out) {
    blanks();
    const char* from = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    out = {from, static_cast<std::size_t>(at_ - from)};
    if (out.empty() || out.size() > 18 || (out.size() > 1 && out[0] == '0')) return false;
    return at_ != end_ && (*at_ == ',' || *at_ == '}' || *at_ == ' ');
  }
  bool word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::string_view(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool value(std::string_view& out, bool& quoted) {
    blanks();
    quoted = peek('"');
    if (quoted) return text(out);
    return digits(out);
  }
  bool any_value() {
    std::string_view ignored;
    blanks();
    if (peek('"')) return text(ignored);
    if (peek('t')) return word("true");
    if (peek('f')) return word("false");
    if (peek('n')) return word("null");
    return digits(ignored);
  }

 private:
  const char* at_;
  const char* end_;
};

}  // namespace holdfast
