// What a renewal, or a grant to its own holder, makes of what was promised before.
#include <algorithm>

#include "checker/tenures.hpp"

namespace holdfast {

// A renewal for less than was promised before takes the rest back.
void Tenures::shorten(Tenure& tenure, std::int64_t to_ns) {
  tenure.valid.to_ns = std::min(tenure.valid.to_ns, std::max(to_ns, tenure.valid.from_ns));
}

// A renewal promises from its answer on. Where the promise before it still stood, the two join; where it had lapsed,
// the old one is kept only while somebody else believes, since an overlap with a later grant begins no earlier than
// now.
void Tenures::renew(Tenure& tenure, const Event& event, const Operation& operation) {
  const std::int64_t lease_ns = event.lease_ns.value_or(operation.lease_ns.value_or(tenure.lease_ns));
  const std::int64_t to_ns = promised_to(operation.invoked_ns, lease_ns);
  if (lease_ns > 0 && (tenure.lease_ns == 0 || lease_ns < tenure.lease_ns)) shorten(tenure, to_ns);
  tenure.lease_ns = lease_ns;
  if (to_ns <= tenure.valid.to_ns || to_ns <= event.time_ns) return;
  if (event.time_ns <= tenure.valid.to_ns) {
    tenure.valid.to_ns = to_ns;
    return;
  }
  if (believers_[tenure.key].size() > 1) {
    tenure.lapsed.push_back(tenure.valid);
  } else {
    tenure.lapsed.clear();
  }
  tenure.valid = {event.time_ns, to_ns};
}

}  // namespace holdfast
