#include "generate/generated_suite.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>

#include "adapter/manifest.hpp"
#include "artifact/shell_command.hpp"
#include "generate/fault_scenarios.hpp"
#include "generate/load_scenarios.hpp"
#include "generate/request_scenarios.hpp"
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

// Finds the operation of each request by its client and time.
class CountedRequests {
 public:
  explicit CountedRequests(const std::vector<SentRequest>& all) {
    for (const auto& request : all) by_client_[request.client].push_back(&request);
  }

  void called(const Event& event) { called_ns_[event.client] = event.time_ns; }

  // Number of requests sent by the operation up to its answer.
  std::int64_t of(const Event& answer) const {
    const auto sent = by_client_.find(answer.client);
    const auto called = called_ns_.find(answer.client);
    if (sent == by_client_.end() || called == called_ns_.end()) return 0;
    std::int64_t most = 0;
    for (const SentRequest* request : sent->second) {
      const bool within = request->time_ns >= called->second && request->time_ns <= answer.time_ns;
      if (within && request->of == to_text(answer.op)) most = std::max(most, request->number);
    }
    return most;
  }

 private:
  std::map<std::int64_t, std::vector<const SentRequest*>> by_client_;
  std::map<std::int64_t, std::int64_t> called_ns_;
};

const LockType& type_of(const std::string& lock) {
  return *find_entry(locks(), parse_lock_ref(lock).lock);
}

LockType type_with_lease(const std::string& lock, std::int64_t lease_ms) {
  LockType out = type_of(lock);
  out.tried_lease_ms = lease_ms;
  return out;
}

std::string where_servers_are_struck(const LockType& type, const std::string& lock) {
  const ServerType& server = server_type(type.server);
  if (*server.suite == '\0') return std::string("no suite has faults of ") + server.title;
  ShellCommand command("holdfast");
  command.literal("run").word(server.suite).flag("--lock", lock);
  for (const auto& word : added_lock_words(parse_lock_ref(lock).lock)) command.word(word);
  return "they have their own suite: " + command.text();
}

template <std::size_t kNames>
bool is_one_of(const std::array<const char*, kNames>& names, const Scenario& scenario) {
  return std::find(names.begin(), names.end(), scenario.name) != names.end();
}

// The most frequent faults in production, each on a client that has been granted the lock. For locks with named
// statements, the facts select the lost reply and the cut (strikes_grant).
constexpr std::array kStrikeHolders{"kill_critical_section", "reply_lost_acquire_request", "cut_granted",
                                    "pause_critical_section"};

// Loads that show most mistakes that need no fault, each a different one.
constexpr std::array kTelling{"none", "crowd", "keys_alike", "zones"};
constexpr std::array kTellingLater{"fraction", "own_leases", "idle_jobs", "long_waits"};

// Loads for optional abilities of a lock: an author who declares them expects them to be used.
struct AbilityLoad {
  const char* can;
  const char* load;
};
constexpr std::array kOfAbilities{AbilityLoad{"threads", "threads"},         AbilityLoad{"reenter", "reenter"},
                                  AbilityLoad{"cancel", "cancelled"},        AbilityLoad{"cancel", kCancelledInTransit},
                                  AbilityLoad{"renew", "long_jobs"},         AbilityLoad{"background", "long_jobs"},
                                  AbilityLoad{"background", "long_job_cut"}, AbilityLoad{"shared", "readers"},
                                  AbilityLoad{"shared", "reader_killed"},    AbilityLoad{"shared", "long_readers"}};

bool asks_for_ability(const LockType& type, const Scenario& scenario) {
  return type.manifest != nullptr && std::any_of(kOfAbilities.begin(), kOfAbilities.end(), [&](const AbilityLoad& one) {
           return scenario.name == one.load && type.manifest->can_do(one.can);
         });
}

constexpr std::int64_t kLong_ms = 20'000;  // for a run of a minute or two
constexpr std::int64_t kLongLeases = 6;    // ... and for a requested lease, this many leases

// The statement that usually grants the lock.
std::string granting_statement(const LockFacts& facts) {
  const auto granted = facts.of(Situation::granted);
  return granted.empty() ? "" : granted.front().statements.back();
}

// Returns true if the fault strikes a client whose acquire the server has granted.
bool strikes_grant(const Scenario& scenario, const std::string& granting) {
  return is_one_of(kStrikeHolders, scenario) || scenario.name == "reply_lost_granted_after_" + granting ||
         scenario.name == "cut_granted_after_" + granting;
}

bool starts_with(const std::string& name, const char* begin) {
  return name.rfind(begin, 0) == 0;
}

bool takes_long(const LockType& type, const Scenario& scenario) {
  const std::int64_t long_ms = kLong_ms + kLongLeases * type.tried_lease_ms;
  return scenario.settings_of(scenario.locks.front()).load.duration_ms > long_ms;
}

// Sort key, lowest first. A client stopped between two statements, or past its lease, meets everything others did
// meanwhile; most cuts show little that a pause and a lost reply do not. Long trials come late, since each takes the
// time of several. A lock that waits is asked early whether it wakes its waiters.
int order_of(const LockType& type, const Scenario& scenario, const std::string& granting) {
  if (takes_long(type, scenario)) return 7;
  if (strikes_grant(scenario, granting)) return 0;
  if (scenario.name == kStartBesideHolder) return 1;  // short, and a start that clears what others hold is common
  if (asks_for_ability(type, scenario) || starts_with(scenario.name, kWakesUp)) return 1;
  if (scenario.faults.empty()) return is_one_of(kTelling, scenario) ? 0 : is_one_of(kTellingLater, scenario) ? 1 : 4;
  const FaultSpec& first = scenario.faults.front();
  const std::string& fault = first.fault;
  // A request without an answer, or half an operation: tests a library's error handling.
  const bool ends = fault == "request_lost" || fault == "reply_lost" || fault == "kill";
  if (first.at.request > 0 && ends) return 2;
  if (scenario.name == kWritesRefused || scenario.name == kReturnsLate) return 2;
  if (fault == "pause") return 3;
  if (fault == "client_skew") return 4;
  return fault == "partition" ? 6 : 5;
}

bool may_come(const LockType& type, Situation situation) {
  if (situation == Situation::renewed) return type.renews || type.renews_in_background;
  return situation != Situation::released || type.releases;
}

// A lock that sends all of its statements in every operation. No attempt sends the schema.
LockFacts all_statements(const std::string& lock) {
  const LockType& type = type_of(lock);
  LockFacts out;
  out.requests.fill(kMostStruckRequests);
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

LockFacts read_facts(HistorySource& history, const std::vector<SentRequest>& requests) {
  LockFacts facts;
  CountedRequests counted(requests);
  Event event;
  while (history.next(event)) {
    if (event.actor != Actor::client) continue;
    if (event.type == EventType::invoke) {
      counted.called(event);
      continue;
    }
    facts.looks_at_deadline = facts.looks_at_deadline || event.reason == Reason::deadline;
    const auto situation = situation_of(event);
    if (!situation) continue;
    std::int64_t& most = facts.requests.at(static_cast<std::size_t>(*situation));
    most = std::max(most, counted.of(event));
    if (!event.statements.empty()) count(facts, *situation, event.statements);
  }
  std::stable_sort(facts.shapes.begin(), facts.shapes.end(),
                   [](const AttemptShape& a, const AttemptShape& b) { return a.seen > b.seen; });
  return facts;
}

LockFacts read_facts(const InputFile& file, const std::vector<SentRequest>& requests) {
  return read_facts(*open_history(file), requests);
}

Scenario lapses_scenario(const std::string& lock, std::int64_t asked_ms) {
  const LockType type = type_with_lease(lock, asked_ms);
  ScenarioDraft draft(type, lock, kLapses, "holders are stopped past their lease, another is killed");
  const std::int64_t lease_ms = draft.lease_ms();
  // Some jobs renew (after a third of the lease); stopped jobs without renewal end with a check of the deadline. If the
  // lock never renews, a longer lease needs no longer jobs, and grants come as fast.
  constexpr std::int64_t kJob_ms = 540;
  // A long lease runs out once: a second time would delay all other cells.
  constexpr std::int64_t kLongLease_ms = 4000;
  const bool is_long = lease_ms > kLongLease_ms;
  const std::int64_t longest_ms = type.renews ? lease_ms * 9 / 20 : std::min(lease_ms * 9 / 20, kJob_ms);
  draft.set("clients", 6).set("hold_ms", {50, longest_ms}).outlives(Outlives::yes);
  if (counts_requests(type)) draft.set("count_requests", true);
  std::vector<int> stopped = is_long ? std::vector<int>{2} : std::vector<int>{2, 5, 8};
  if (!type.releases) stopped = {1};
  for (const int nth : stopped) {
    draft.add_fault({{"fault", "pause"}, {"at", {{"phase", "granted"}, {"nth", nth}}}, {"for_ms", draft.beyond_ms()}});
  }
  draft.add_fault({{"fault", "kill"},
                   {"target", "holder"},
                   {"at",
                    {{"phase", "critical_section"},
                     {"nth", !type.releases ? 1
                             : is_long      ? 5
                                            : 12}}},
                   {"for_ms", 500}});
  const std::int64_t run_out_ms = type.lease ? lease_ms * (is_long ? 1 : 3) : 3 * std::min(lease_ms, kLongLease_ms);
  return draft.set("duration_ms", draft.beyond_ms() + run_out_ms + 1500).finish();
}

std::vector<Scenario> first_scenarios(const std::string& lock, std::int64_t lease_ms) {
  std::vector<Scenario> out{lapses_scenario(lock, lease_ms)};
  const LockType type = type_with_lease(lock, lease_ms);
  GeneratedSuite known;
  add_fault_scenarios(type, lock, {}, known);
  add_load_scenarios(type, lock, {}, known);
  std::copy_if(known.scenarios.begin(), known.scenarios.end(), std::back_inserter(out), [&type](const Scenario& one) {
    return is_one_of(kStrikeHolders, one) || is_one_of(kTelling, one) ||
           (asks_for_ability(type, one) && !takes_long(type, one));
  });
  return out;
}

ForeseenSuite foresee_suite(const std::string& lock, std::int64_t lease_ms) {
  GeneratedSuite least = generate_suite(lock, {}, lease_ms);
  GeneratedSuite most = generate_suite(lock, all_statements(lock), lease_ms);
  ForeseenSuite out;
  out.sure = std::move(least.scenarios);
  std::copy_if(most.scenarios.begin(), most.scenarios.end(), std::back_inserter(out.possible),
               [&out](const Scenario& one) { return !has_scenario(out.sure, one.name); });
  out.sure.insert(out.sure.begin(), lapses_scenario(lock, lease_ms));
  out.left_out = std::move(most.left_out);
  return out;
}

GeneratedSuite generate_suite(const std::string& lock, const LockFacts& facts, std::int64_t lease_ms) {
  const LockType type = type_with_lease(lock, lease_ms);
  GeneratedSuite out;
  add_load_scenarios(type, lock, facts, out);
  add_fault_scenarios(type, lock, facts, out);
  std::stable_sort(out.scenarios.begin(), out.scenarios.end(),
                   [&type, granting = granting_statement(facts)](const Scenario& a, const Scenario& b) {
                     return order_of(type, a, granting) < order_of(type, b, granting);
                   });
  out.left_out.push_back({lock, "faults of the server", where_servers_are_struck(type, lock)});
  return out;
}

}  // namespace holdfast
