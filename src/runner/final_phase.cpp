#include "runner/final_phase.hpp"

#include <algorithm>

namespace holdfast {

std::int64_t final_phase_ns(const Plan& plan, const LockType& type) {
  const std::int64_t lease_s = type.lease ? (plan.load.lease_ms + 999) / 1000 : 0;  // as locks of whole seconds have it
  const std::int64_t bound_ms = lease_s * 1000 + 1000 + plan.load.progress_bound_ms;
  return (bound_ms + longest_wait_ms(type) + 2 * plan.load.poll_ms + 500) * 1'000'000;
}

bool anyone_was_refused(const ControlPage& page) {
  return std::any_of(page.keys.begin(), page.keys.end(),
                     [](const KeySlot& key) { return key.last_refusal_ns.load() > 0; });
}

bool all_granted_since(const ControlPage& page, std::int64_t keys, std::int64_t since_ns) {
  return std::all_of(page.keys.begin(), page.keys.begin() + keys,
                     [since_ns](const KeySlot& key) { return key.last_grant_ns.load() >= since_ns; });
}

}  // namespace holdfast
