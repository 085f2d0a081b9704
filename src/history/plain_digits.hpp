// Parses digits, eight at a time.
//
//   std::uint64_t number = 0;
//   if (!whole_number(from, to, number)) ...    // a sign, a fraction, a leading zero, none, or more than 19 digits
//
// Eight bytes from `from` on must be readable; their values do not matter.
#pragma once

#include <array>
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

// For bytes after subtracting '0': the highest bit of each byte that is not a digit; exact up to the first one.
inline std::uint64_t others(std::uint64_t bytes) {
  return ((bytes + kEach * 0x76) | bytes) & kHigh;
}

// Eight digits, one per byte, the first lowest: combines pairs, then fours, then all eight.
inline std::uint64_t value(std::uint64_t each) {
  each = each * 10 + (each >> 8);
  const std::uint64_t mask = 0x000000FF000000FF;
  return ((each & mask) * 0x000F424000000064 + ((each >> 16) & mask) * 0x0000271000000001) >> 32;
}

inline constexpr std::array<std::uint64_t, 9> kPowersOfTen{1,       10,        100,        1'000,      10'000,
                                                           100'000, 1'000'000, 10'000'000, 100'000'000};

}  // namespace digits

// Not inlined, since lines have many numbers: a small function stays in the cache.
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

// The same for a number of unknown length. What follows it is not examined.
struct FoundNumber {
  const char* end;  // null: no number
  std::uint64_t value;
};

// May read 24 bytes from there. Returned in registers.
[[gnu::noinline]] inline FoundNumber find_number(const char* const from) {
  const char* at = from;
  std::uint64_t value = 0;
  std::size_t size = 8;
  while (size == 8 && at - from <= 16) {
    const std::uint64_t each = eight_bytes(at) ^ digits::kEach * '0';
    size = static_cast<std::size_t>(std::countr_zero(digits::others(each))) / 8;  // 8: only digits
    if (size == 0) break;
    value = value * digits::kPowersOfTen[size] + digits::value(each << (64 - 8 * size));
    at += size;
  }
  const auto count = at - from;
  const bool plain = count > 0 && count <= 19 && (*from != '0' || count == 1);
  return {plain ? at : nullptr, value};
}

}  // namespace holdfast
