// Locks that store whole seconds behave by the fraction of the second at which they were taken; a scenario may fix it.
//
//   sleep_ns(until_fraction_ns(950));   // until 950 ms past a whole second of the wall clock
#pragma once

#include <chrono>
#include <cstdint>

namespace holdfast {

inline std::int64_t until_fraction_ns(std::int64_t align_ms) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() % 1000;
  return (align_ms - now_ms + 1000) % 1000 * 1'000'000;
}

}  // namespace holdfast
