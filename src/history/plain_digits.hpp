// Digits as a number, eight at a time.
//
//   std::uint64_t number = 0;
//   if (!whole_number(from, to, number)) ...    // a sign, a fraction, a leading zero, none, or more than 19 digits
//
// Eight bytes from `from` on must be readable, whatever stands there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace holdfast {

inline std::uint64_t eight_bytes(const char* from) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

namespace digits {

inline constexpr std::uint64_t kEach = 0x0101010101010101;
inline constexpr std::uint64_t kHigh = 0x8080808080808080;

// Of bytes from which '0' was taken: the highest bit of each that is no digit; exact up to the first of them.
inline std::uint64_t others(std::uint64_t bytes) {
  return ((bytes + kEach * 0x76) | bytes) & kHigh;
}

// Eight digits, each in a byte, the first lowest: two, four and eight of them are put together at a time.
inline std::uint64_t value(std::uint64_t each) {
  each = each * 10 + (each >> 8);
  const std::uint64_t mask = 0x000000FF000000FF;
  return ((each & mask) * 0x000F424000000064 + ((each >> 16) & mask) * 0x0000271000000001) >> 32;
}

}  // namespace digits

// Apart, since lines have many: what is small stays near.
[[gnu::noinline]] inline bool whole_number(const char* from, const char* to, std::uint64_t& out) {
  const auto size = static_cast<std::size_t>(to - from);
  if (size == 0 || size > 19) return false;
  const std::size_t first = (size - 1) % 8 + 1;
  std::uint64_t each = (eight_bytes(from) ^ digits::kEach * '0') << (64 - 8 * first);
  std::uint64_t wrong = digits::others(each);
  out = digits::value(each);
  for (const char* at = from + first; at < to; at += 8) {
    each = eight_bytes(at) ^ digits::kEach * '0';
    wrong |= digits::others(each);
    out = out * 100'000'000 + digits::value(each);
  }
  return wrong == 0 && (*from != '0' || size == 1);
}

}  // namespace holdfast
