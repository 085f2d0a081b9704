// The clock of every history, which no fault changes.
#pragma once

#include <cstdint>
#include <ctime>

namespace holdfast {

// Returns the host's CLOCK_MONOTONIC in nanoseconds.
inline std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace holdfast
