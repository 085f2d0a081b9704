// Who may hold a key without anybody knowing.
#include <algorithm>

#include "checker/busy_rule.hpp"

namespace holdfast {

bool BusyRule::ghost_explains(const Key& key, const Refusal& refusal) const {
  return ghosts_of(key, refusal) > 0;
}

// Those that asked for it before the refusal and may hold it still, and questions that have no answer yet.
std::ptrdiff_t BusyRule::ghosts_of(const Key& key, const Refusal& refusal) const {
  const auto& operations = context_.tenures.operations();
  const auto open = std::count_if(operations.begin(), operations.end(), [&](const Operation& o) {
    return o.open && !o.dead && o.op == Op::acquire && o.key == refusal.key && o.invoked_ns <= refusal.refused_ns;
  });
  return open + key.ghosts.may_hold_for_ever(refusal.refused_ns);
}

}  // namespace holdfast
