#include "generate/generated_suite.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "artifact/shell_command.hpp"
#include "generate/fault_scenarios.hpp"
#include "generate/load_scenarios.hpp"
#include "generate/scenario_draft.hpp"
#include "history/open_history.hpp"
#include "lock/added_locks.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

std::optional<Situation> situation_of(const Event& event) {
  const bool ok = event.type == EventType::ok;
  const bool refused = event.type == EventType::fail && event.reason == Reason::busy;
  if (event.op == Op::acquire && ok) return Situation::granted;
  if (event.op == Op::acquire && refused) return Situation::refused;
  if (event.op == Op::renew && ok) return Situation::renewed;
  if (event.op == Op::release && ok) return Situation::released;
  return std::nullopt;
}

void count(LockFacts& facts, Situation situation, const std::vector<Statement>& sent) {
  std::vector<std::string> names;
  names.reserve(sent.size());
  for (const auto& statement : sent) names.push_back(statement.name);
  for (auto& shape : facts.shapes) {
    if (shape.situation != situation || shape.statements != names) continue;
    ++shape.seen;
    return;
  }
  facts.shapes.push_back({situation, std::move(names), 1});
}

const LockType& type_of(const std::string& lock) {
  return *find_entry(locks(), parse_lock_ref(lock).lock);
}

std::string where_servers_are_struck(const LockType& type, const std::string& lock) {
  const ServerType& server = server_type(type.server);
  if (*server.suite == '\0') return std::string("no suite has any of ") + server.title;
  ShellCommand command("holdfast");
  command.literal("run").word(server.suite).flag("--lock", lock);
  for (const auto& word : added_lock_words(parse_lock_ref(lock).lock)) command.word(word);
  return "they have a suite of their own (" + command.text() + ")";
}

// Loads that show most of the mistakes that need no fault, each another one.
bool is_telling(const Scenario& scenario) {
  constexpr std::array kTelling{"none", "crowd", "fraction", "keys_alike", "zones", "own_leases"};
  return std::find(kTelling.begin(), kTelling.end(), scenario.name) != kTelling.end();
}

// The least first. Whoever is stopped between two statements, or past its lease, meets all that others did meanwhile;
// a cut does little that a pause and a lost reply do not.
int order_of(const Scenario& scenario) {
  if (scenario.faults.empty()) return is_telling(scenario) ? 0 : 2;
  const std::string& fault = scenario.faults.front().fault;
  if (fault == "pause") return 1;
  if (fault == "client_skew") return 2;
  return fault == "partition" ? 4 : 3;
}

bool may_come(const LockType& type, Situation situation) {
  if (situation == Situation::renewed) return type.renews || type.renews_in_background;
  return situation != Situation::released || type.releases;
}

// A lock that sends each of its statements, whatever it does, and another one after it. No attempt sends the schema.
LockFacts all_statements(const std::string& lock) {
  const LockType& type = type_of(lock);
  LockFacts out;
  for (const auto& statement : statement_names(parse_lock_ref(lock).lock)) {
    if (statement == "schema") continue;
    for (const Situation situation : kSituations) {
      if (may_come(type, situation)) out.shapes.push_back({situation, {statement, statement}, 1});
    }
  }
  return out;
}

bool has_scenario(const std::vector<Scenario>& scenarios, const std::string& name) {
  return std::any_of(scenarios.begin(), scenarios.end(), [&name](const Scenario& one) { return one.name == name; });
}

}  // namespace

const char* to_text(Situation situation) {
  return EnumWords<Situation>({"granted", "refused", "renewed", "released"})[situation];
}

std::vector<AttemptShape> LockFacts::of(Situation situation) const {
  std::vector<AttemptShape> out;
  std::copy_if(shapes.begin(), shapes.end(), std::back_inserter(out),
               [&](const AttemptShape& shape) { return shape.situation == situation; });
  return out;
}

LockFacts read_facts(HistorySource& history) {
  LockFacts facts;
  Event event;
  while (history.next(event)) {
    if (event.actor != Actor::client || event.type == EventType::invoke) continue;
    facts.looks_at_deadline = facts.looks_at_deadline || event.reason == Reason::deadline;
    const auto situation = situation_of(event);
    if (situation && !event.statements.empty()) count(facts, *situation, event.statements);
  }
  std::stable_sort(facts.shapes.begin(), facts.shapes.end(),
                   [](const AttemptShape& a, const AttemptShape& b) { return a.seen > b.seen; });
  return facts;
}

LockFacts read_facts(const InputFile& file) {
  return read_facts(*open_history(file));
}

Scenario lapses_scenario(const std::string& lock) {
  const LockType& type = type_of(lock);
  ScenarioDraft draft(type, lock, kLapses, "holders are stopped past their lease, another is killed");
  const std::int64_t lease_ms = draft.lease_ms();
  // Some jobs renew (after a third of the lease); those that do not, and were stopped, end with a look at the deadline.
  // Where nobody renews, jobs need not be longer for a lease that is longer, and grants come as fast.
  constexpr std::int64_t kJob_ms = 540;
  const std::int64_t longest_ms = type.renews ? lease_ms * 9 / 20 : std::min(lease_ms * 9 / 20, kJob_ms);
  draft.set("clients", 6).set("hold_ms", {50, longest_ms}).outlives(Outlives::yes);
  for (const int nth : type.releases ? std::vector<int>{2, 5, 8} : std::vector<int>{1}) {
    draft.add_fault({{"fault", "pause"}, {"at", {{"phase", "granted"}, {"nth", nth}}}, {"for_ms", draft.beyond_ms()}});
  }
  draft.add_fault({{"fault", "kill"},
                   {"target", "holder"},
                   {"at", {{"phase", "critical_section"}, {"nth", type.releases ? 12 : 1}}},
                   {"for_ms", 500}});
  return draft.set("duration_ms", draft.beyond_ms() + 3 * lease_ms + 1500).finish();
}

std::vector<Scenario> first_scenarios(const std::string& lock) {
  std::vector<Scenario> out{lapses_scenario(lock)};
  GeneratedSuite loads;
  add_load_scenarios(type_of(lock), lock, {}, loads);
  std::copy_if(loads.scenarios.begin(), loads.scenarios.end(), std::back_inserter(out), is_telling);
  return out;
}

ForeseenSuite foresee_suite(const std::string& lock) {
  GeneratedSuite least = generate_suite(lock, {});
  GeneratedSuite most = generate_suite(lock, all_statements(lock));
  ForeseenSuite out;
  out.sure = std::move(least.scenarios);
  std::copy_if(most.scenarios.begin(), most.scenarios.end(), std::back_inserter(out.possible),
               [&out](const Scenario& one) { return !has_scenario(out.sure, one.name); });
  out.sure.insert(out.sure.begin(), lapses_scenario(lock));
  out.left_out = std::move(most.left_out);
  return out;
}

GeneratedSuite generate_suite(const std::string& lock, const LockFacts& facts) {
  const LockType& type = type_of(lock);
  GeneratedSuite out;
  add_load_scenarios(type, lock, facts, out);
  add_fault_scenarios(type, lock, facts, out);
  std::stable_sort(out.scenarios.begin(), out.scenarios.end(),
                   [](const Scenario& a, const Scenario& b) { return order_of(a) < order_of(b); });
  out.left_out.push_back({lock, "faults of the server", where_servers_are_struck(type, lock)});
  return out;
}

}  // namespace holdfast
