// One permit of a counting semaphore, or one hold of a read-write lock, by one process.
//
// Permits make both locks one: a semaphore has N of them and a grant takes one; of a read-write lock a shared grant
// takes one of very many, an exclusive grant all of them. Spans are half open, times in ns, as in a hold.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "checker/hold.hpp"

namespace holdfast {

constexpr std::int64_t kAllPermits = std::int64_t{1} << 30;  // of a read-write lock

struct PermitHold {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::int64_t takes = 1;  // permits
  std::int64_t granted_ns = 0;
  std::int64_t ended_ns = kNever;
  std::uint64_t grant_index = 0;
  std::vector<std::uint64_t> indices;  // of its acquire and of the releases that were called for it

  bool overlaps(const Window& window) const { return granted_ns < window.to_ns && ended_ns > window.from_ns; }
};

using PermitHolds = std::vector<std::shared_ptr<PermitHold>>;

}  // namespace holdfast
