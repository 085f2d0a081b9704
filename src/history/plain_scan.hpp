// Steps through a line of plain JSON (plain_line.hpp); every step says whether the line is still plain.
#pragma once

#include <array>
#include <cstring>
#include <string_view>

namespace holdfast {

// By byte: whether it may stand between quotes as it is. Printable ASCII without quotes and escapes.
constexpr std::array<bool, 256> kPlainBytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7f; ++c) plain.at(c) = c != '"' && c != '\\';
  return plain;
}();

// `word == literal`, compared without a call.
template <std::size_t N>
bool is_word(std::string_view word, const char (&literal)[N]) {
  return word.size() == N - 1 && std::memcmp(word.data(), literal, N - 1) == 0;
}

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
  // These very bytes, of which there are at least four.
  bool literal(std::string_view bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes.size() || at_[1] != bytes[1]) return false;
    const std::size_t size = bytes.size();
    if (!(size < 8 ? same<4>(at_, bytes.data(), size) : same<8>(at_, bytes.data(), size))) return false;
    at_ += bytes.size();
    return true;
  }
  // Between quotes; printable ASCII without escapes.
  bool text(std::string_view& out) {
    if (!take('"')) return false;
    const char* from = at_;
    while (at_ != end_ && kPlainBytes[static_cast<unsigned char>(*at_)]) ++at_;
    out = {from, static_cast<std::size_t>(at_ - from)};
    if (at_ == end_ || *at_ != '"') return false;
    ++at_;
    return true;
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
  // From N to 2 N bytes, by the first and the last N of them: without a call.
  template <std::size_t N>
  static bool same(const char* a, const char* b, std::size_t size) {
    return std::memcmp(a, b, N) == 0 && std::memcmp(a + size - N, b + size - N, N) == 0;
  }

  const char* at_;
  const char* end_;
};

}  // namespace holdfast
