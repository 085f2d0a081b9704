// What a renewal, or a grant to its own holder, makes of what was promised before.
#include <algorithm>

#include "checker/holds.hpp"

namespace holdfast {

// A renewal for less than was promised before takes the rest back.
void Holds::shorten(Hold& hold, std::int64_t to_ns) {
  hold.valid.to_ns = std::min(hold.valid.to_ns, std::max(to_ns, hold.valid.from_ns));
}

// A renewal promises from its answer on. Where the promise before it still stood, the two join; where it had lapsed,
// the old one is kept only while somebody else believes, since an overlap with a later grant begins no earlier than
// now.
void Holds::renew(Hold& hold, const Event& event, const Operation& operation) {
  const std::int64_t lease_ns = event.lease_ns.value_or(operation.lease_ns.value_or(hold.lease_ns));
  const std::int64_t to_ns = promised_to(operation.invoked_ns, lease_ns);
  if (lease_ns > 0 && (hold.lease_ns == 0 || lease_ns < hold.lease_ns)) shorten(hold, to_ns);
  hold.lease_ns = lease_ns;
  if (to_ns <= hold.valid.to_ns || to_ns <= event.time_ns) return;
  if (event.time_ns <= hold.valid.to_ns) {
    hold.valid.to_ns = to_ns;
    return;
  }
  if (believers_[hold.key].size() > 1) {
    hold.lapsed.push_back(hold.valid);
  } else {
    hold.lapsed.clear();
  }
  hold.valid = {event.time_ns, to_ns};
}

}  // namespace holdfast
