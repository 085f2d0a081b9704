// The one clock of every history, which no fault moves.
#pragma once

#include <cstdint>
#include <ctime>

namespace holdfast {

// Of the host's CLOCK_MONOTONIC.
inline std::int64_t monotonic_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace holdfast
