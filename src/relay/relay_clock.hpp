// The relay's clock: the host's CLOCK_MONOTONIC, in nanoseconds, which no fault changes.
#pragma once

#include <chrono>
#include <cstdint>

namespace holdfast {

inline std::int64_t relay_now_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace holdfast
