// Steps through a line of plain JSON (plain_line.hpp), eight bytes at a time; every step says whether the line is still
// plain. It may look at kLinePadding bytes behind the text, whatever stands there, and takes none of them for a part of
// it: who steps through must find `inside()` before each member, and `done()` at the end.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace holdfast {

// What must be readable behind a text that is stepped through.
inline constexpr std::size_t kLinePadding = 64;

// Up to eight bytes as one number, the first of them lowest: words are compared with one step.
constexpr std::uint64_t as_word(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < text.size(); ++i) word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  return word;
}

// How a field began in an earlier line, from the comma before it to its value: `,"time":`, say, as sixteen bytes of
// which some count.
struct WrittenField {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::uint64_t low_mask = 0;
  std::uint64_t high_mask = 0;
  std::uint8_t size = 0;  // 0: none
  std::uint8_t field = 0;
};

// Writers keep to one order of fields, and leave some out: what followed a field last, and what did so before.
class FieldGuesses {
 public:
  static constexpr std::size_t kFields = 17;
  const WrittenField& last(std::size_t field) const { return last_[field]; }
  const WrittenField& before(std::size_t field) const { return before_[field]; }
  void add(std::size_t after, const WrittenField& next) {
    if (next.size == 0) return;
    before_[after] = last_[after];
    last_[after] = next;
  }

 private:
  std::array<WrittenField, kFields> last_;
  std::array<WrittenField, kFields> before_;
};

class PlainScan {
 public:
  explicit PlainScan(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {
    static_assert(std::endian::native == std::endian::little);
  }

  bool inside() const { return at_ < end_; }
  bool peek(char c) const { return *at_ == c; }
  void blanks() {
    while (*at_ == ' ' || *at_ == '\t') {
      if (++at_ >= end_) return;
    }
  }
  [[gnu::always_inline]] bool take(char c) {
    if (*at_ != c) {  // nearly always there is no blank
      blanks();
      if (*at_ != c) return false;
    }
    ++at_;
    return at_ <= end_;
  }
  bool done() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
    return at_ == end_;
  }
  void step() { ++at_; }
  // What this field began with, if it stands here.
  [[gnu::always_inline]] bool takes(const WrittenField& field) {
    const std::uint64_t other =
        ((load(at_) ^ field.low) & field.low_mask) | ((load(at_ + 8) ^ field.high) & field.high_mask);
    if (other != 0 || field.size == 0) return false;
    at_ += field.size;
    return true;
  }
  // What stands between there and here.
  WrittenField written_since(const char* from, std::uint8_t field) const {
    const auto size = static_cast<std::size_t>(at_ - from);
    if (size > 16) return {};
    WrittenField out{load(from),
                     load(from + 8),
                     first_bytes(size),
                     first_bytes(size < 8 ? 0 : size - 8),
                     static_cast<std::uint8_t>(size),
                     field};
    return out;
  }
  // These very bytes.
  bool word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::string_view(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  // A word of at most eight bytes between quotes; 0 where it is longer or has a zero in it, and nothing is taken then.
  [[gnu::always_inline]] std::uint64_t short_word() {
    const std::uint64_t bytes = load(at_ + 1);
    const std::uint64_t stops = zeros(bytes ^ kAll * '"') | zeros(bytes);
    const int size = std::countr_zero(stops) / 8;  // 8: there is none
    if (size == 0 || *at_ != '"' || at_[size + 1] != '"') return 0;
    at_ += size + 2;
    return bytes & first_bytes(static_cast<std::size_t>(size));
  }
  // Between quotes; printable ASCII without escapes.
  bool text(std::string_view& out) {
    if (*at_ != '"') return false;
    const char* const from = ++at_;
    for (; at_ < end_; at_ += 8) {
      const std::uint64_t bytes = load(at_);
      const std::uint64_t stops = zeros(bytes ^ kAll * '"') | zeros(bytes ^ kAll * '\\') | zeros(bytes ^ kAll * 0x7f) |
                                  ((bytes - kAll * 0x20) & ~bytes & kHigh) | (bytes & kHigh);
      if (stops == 0) continue;
      at_ += std::countr_zero(stops) / 8;
      out = {from, static_cast<std::size_t>(at_ - from)};
      return *at_++ == '"' && at_ <= end_;
    }
    return false;
  }
  // Digits without a sign, a fraction or a leading zero, at most 19 of them.
  [[gnu::always_inline]] bool digits(std::uint64_t& out) {
    const std::uint64_t bytes = load(at_) ^ kAll * '0';
    const std::uint64_t others = not_digits(bytes);
    if (others == 0) return many_digits(out);
    const int taken = std::countr_zero(others) / 8;
    if (taken == 0 || (taken > 1 && *at_ == '0')) return false;
    out = of_digits(bytes << (64 - 8 * taken));
    at_ += taken;
    return ends_number();
  }
  // Any value that means nothing; what could be broken in more than one way is left to the parser.
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
  std::string_view since(const char* from) const { return {from, static_cast<std::size_t>(at_ - from)}; }
  const char* at() const { return at_; }

 private:
  static constexpr std::uint64_t kAll = 0x0101010101010101;
  static constexpr std::uint64_t kHigh = 0x8080808080808080;
  static constexpr std::uint64_t kPowers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000};
  static constexpr int kDeepest = 4;

  static std::uint64_t load(const char* from) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, sizeof bytes);
    return bytes;
  }
  static std::uint64_t first_bytes(std::size_t count) {
    return count >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * count)) - 1;
  }
  // The highest bit of each byte that is 0; exact up to the first of them.
  static std::uint64_t zeros(std::uint64_t bytes) { return (bytes - kAll) & ~bytes & kHigh; }
  // Eight digits, each in a byte, the first lowest: two, four and eight of them are put together at a time.
  static std::uint64_t of_digits(std::uint64_t each) {
    each = each * 10 + (each >> 8);
    const std::uint64_t mask = 0x000000FF000000FF;
    return ((each & mask) * 0x000F424000000064 + ((each >> 16) & mask) * 0x0000271000000001) >> 32;
  }
  // Of bytes from which '0' was taken: the highest bit of each that is no digit; exact up to the first of them.
  static std::uint64_t not_digits(std::uint64_t bytes) { return ((bytes + kAll * 0x76) | bytes) & kHigh; }
  bool ends_number() const { return at_ < end_ && (*at_ == ',' || *at_ == '}' || *at_ == ' ' || *at_ == ']'); }
  bool many_digits(std::uint64_t& out) {
    const char* const from = at_;
    out = 0;
    for (int taken = 8; taken == 8;) {
      const std::uint64_t bytes = load(at_) ^ kAll * '0';
      const std::uint64_t others = not_digits(bytes);
      taken = others == 0 ? 8 : std::countr_zero(others) / 8;
      if (taken > 0) out = out * kPowers[taken] + of_digits(bytes << (64 - 8 * taken));
      at_ += taken;
      if (at_ - from > 19) return false;
    }
    return *from != '0' && ends_number();
  }
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
