// What a lock's server tells of itself to whoever administers it.
#pragma once

#include <cstdint>

namespace holdfast {

// What a server says the time is, compared with the host's clock. The true difference lies within `ahead_ns` plus or
// minus `within_ns`: the question takes a while.
struct ClockReading {
  std::int64_t ahead_ns = 0;
  std::int64_t within_ns = 0;
};

// What a server that is one of several equals knows of the others.
struct ClusterView {
  std::uint32_t members = 0;  // with itself, as far as it sees
  bool serves = false;        // it takes statements
  std::uint64_t changes = 0;  // of who belongs to the cluster, since it was formed
};

// What a server promises about what it acknowledged, should its process, or its machine, end at once.
enum class Durability : std::uint8_t { kept, kept_unless_busy, may_be_lost };

}  // namespace holdfast
