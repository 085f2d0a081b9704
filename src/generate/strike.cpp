#include "generate/strike.hpp"

#include <algorithm>

namespace holdfast {
namespace {

constexpr int kShortPoll_ms = 10;

}  // namespace

void StrikeScenarios::add(const Strike& strike, Situation situation) {
  ScenarioDraft draft(type_, lock_, strike.name, strike.about);
  draft.set("clients", kFewClients).outlives(strike.outlives);
  for (const auto& fault : strike.faults) draft.add_fault(fault);
  // A momentary fault may find no holder; without a lease, a struck client keeps all others out.
  if (strike.outlives == Outlives::no || !type_.lease) draft.moment_only();
  if (strike.outlives != Outlives::no) draft.set("hold_ms", kLongJob_ms).set("poll_ms", kShortPoll_ms);
  if (strike.of_grants) {
    const std::int64_t orphans_ms = std::min(3 * draft.lease_ms(), kLongestOrphans_ms);
    draft.set("clients", kFewestClients).set("duration_ms", 1000 + orphans_ms + 1500);
  }
  if (situation == Situation::renewed) draft.set("hold_ms", {draft.lease_ms() / 2, draft.lease_ms() * 3 / 4});
  // A client that leaves without a release keeps others waiting for the rest of its lease.
  const bool for_long = !type_.releases && type_.renews && strike.outlives != Outlives::no;
  if (for_long) draft.set("hold_ms", {3 * draft.lease_ms(), 4 * draft.lease_ms()});
  out_.scenarios.push_back(draft.finish());
}

}  // namespace holdfast
