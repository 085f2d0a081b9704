// How much one trial takes. A scenario that asks for more is refused when it is read, with its file and line; the
// control page has room for just this.
//
// Clients: bench/README.md says what so many cost. The next limit is the kernel's: a bridge has 1023 ports, one a node.
#pragma once

#include <cstdint>

namespace holdfast {

inline constexpr std::int64_t kMostClients = 500;  // that a scenario may ask for
inline constexpr std::int64_t kMostFaults = 16;    // each may need a spare client
inline constexpr std::int64_t kMostKeys = 64;
inline constexpr std::int64_t kMostThreads = 8;  // of one client process

}  // namespace holdfast
