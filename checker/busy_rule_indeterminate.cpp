// Who may hold a key without anybody knowing.
#include <algorithm>

#include "checker/busy_rule.hpp"

namespace holdfast {

// Each can have held in one gap only; in which, orders alone do not tell.
bool BusyRule::explained_by(std::ptrdiff_t indeterminate, Key& key) {
  if (indeterminate == 0) return false;
  if (++key.gaps_of_indeterminate > indeterminate) key.ambiguous = true;
  return true;
}

// Those whose hold can end by itself.
std::ptrdiff_t BusyRule::indeterminate_before_a_grant(const Key& key, const Refusal& refusal) const {
  if (leased_) return indeterminate_at_the_end(key, refusal);
  return std::count_if(key.dead.begin(), key.dead.end(),
                       [&](const auto& one) { return one.second <= refusal.refused_ns; });
}

// All that asked for it before the refusal and may hold it still, and questions that have no answer yet.
std::ptrdiff_t BusyRule::indeterminate_at_the_end(const Key& key, const Refusal& refusal) const {
  std::ptrdiff_t open = 0;
  context_.holds.each_open([&](std::uint32_t, const Operation& o) {
    const bool asked = !o.dead && o.op == Op::acquire && o.key == refusal.key && o.invoked_ns <= refusal.refused_ns;
    if (asked) ++open;
  });
  return open + key.indeterminate.may_hold_for_ever(refusal.refused_ns);
}

}  // namespace holdfast
