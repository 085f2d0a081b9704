// Administrative information from a lock's server.
#pragma once

#include <cstdint>

namespace holdfast {

// A server's time compared with the host's clock. The true difference is `ahead_ns` plus or minus `within_ns`, because
// the query takes time.
struct ClockReading {
  std::int64_t ahead_ns = 0;
  std::int64_t within_ns = 0;
};

// The view of one of several equal servers on the others.
struct ClusterView {
  std::uint32_t members = 0;  // including itself, as far as it sees
  bool serves = false;        // accepts statements
  std::uint64_t changes = 0;  // of the membership, since the cluster was formed
};

// Guarantee for acknowledged data if the server's process, or its machine, ends abruptly.
enum class Durability : std::uint8_t { kept, kept_unless_busy, may_be_lost };

}  // namespace holdfast
