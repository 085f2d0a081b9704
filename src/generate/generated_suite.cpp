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
  ScenarioDraft draft(type, lock, kLapses, "jobs that outlast their lease, and a holder that is killed");
  const std::int64_t lease_ms = draft.lease_ms();
  return draft.set("clients", 4)
      .set("hold_ms", {50, lease_ms + 500})
      .set("exposure", {{"grants", 2}, {"attempts_in_hold", 1}})
      .add_fault({{"fault", "kill"},
                  {"target", "holder"},
                  {"at", {{"phase", "critical_section"}, {"nth", type.releases ? 2 : 1}}},
                  {"for_ms", 500}})
      .set("duration_ms", 3 * lease_ms + 2500)
      .outlives(Outlives::yes)
      .finish();
}

GeneratedSuite generate_suite(const std::string& lock, const LockFacts& facts) {
  const LockType& type = type_of(lock);
  GeneratedSuite out;
  add_load_scenarios(type, lock, facts, out);
  add_fault_scenarios(type, lock, facts, out);
  out.left_out.push_back(
      {lock, "faults of the server", "the suites server, redis_server, failover and galera have them"});
  return out;
}

}  // namespace holdfast
