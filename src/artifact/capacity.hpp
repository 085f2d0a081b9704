// Limits of a trial's size. A scenario that exceeds one is refused when it is read, with file and line; the control
// page has exactly this much room.
//
// Clients: bench/README.md states the cost of this many. The next limit is the kernel's: a bridge has 1023 ports, one
// per node.
#pragma once

#include <cstdint>

namespace holdfast {

inline constexpr std::int64_t kMostClients = 500;  // largest number in a scenario
inline constexpr std::int64_t kMostFaults = 16;    // each may need a spare client
inline constexpr std::int64_t kMostKeys = 64;
inline constexpr std::int64_t kMostThreads = 8;  // per client process

}  // namespace holdfast
