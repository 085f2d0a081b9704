#include "generate/generated_suite.hpp"

#include "generate/fault_scenarios.hpp"
#include "generate/load_scenarios.hpp"
#include "generate/scenario_draft.hpp"

namespace holdfast {
namespace {

const LockType& type_of(const std::string& lock) {
  return *find_entry(locks(), parse_lock_ref(lock).lock);
}

}  // namespace

Scenario lapses_scenario(const std::string& lock) {
  const LockType& type = type_of(lock);
  ScenarioDraft draft(type, lock, kLapses, "holders are stopped past their lease, another is killed");
  const std::int64_t lease_ms = draft.lease_ms();
  // Some jobs renew (after a third of the lease); those that do not, and were stopped, end with a look at the deadline.
  draft.set("clients", 6).set("hold_ms", {50, lease_ms * 9 / 20}).outlives(Outlives::yes);
  for (const int nth : type.releases ? std::vector<int>{2, 5, 8} : std::vector<int>{1}) {
    draft.add_fault({{"fault", "pause"}, {"at", {{"phase", "granted"}, {"nth", nth}}}, {"for_ms", draft.beyond_ms()}});
  }
  draft.add_fault({{"fault", "kill"},
                   {"target", "holder"},
                   {"at", {{"phase", "critical_section"}, {"nth", type.releases ? 12 : 1}}},
                   {"for_ms", 500}});
  return draft.set("duration_ms", draft.beyond_ms() + 3 * lease_ms + 1500).finish();
}

GeneratedSuite generate_suite(const std::string& lock, const LockFacts& facts) {
  const LockType& type = type_of(lock);
  GeneratedSuite out;
  add_load_scenarios(type, lock, facts, out);
  add_fault_scenarios(type, lock, facts, out);
  out.left_out.push_back(
      {lock, "faults of the server", "the suites of scenarios/ have them, each for its kind of server"});
  return out;
}

}  // namespace holdfast
