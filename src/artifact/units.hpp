// Conversion factors between units of time; names of times end with their unit.
#pragma once

#include <cstdint>

namespace holdfast {

inline constexpr std::int64_t kMillisecond_us = 1'000;
inline constexpr std::int64_t kSecond_us = 1'000'000;
inline constexpr std::int64_t kMillisecond_ns = 1'000'000;
inline constexpr std::int64_t kSecond_ns = 1'000'000'000;

inline constexpr std::int64_t kPartsPerPercent = 10'000;  // in parts per million, as clocks drift

}  // namespace holdfast
