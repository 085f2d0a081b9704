#include "explore/explorer.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "artifact/error.hpp"
#include "explore/hidden_state.hpp"
#include "explore/lock_world.hpp"
#include "explore/schedule.hpp"

namespace holdfast {
namespace {

const LockType& type_of(const ExploreSettings& settings) {
  return *find_entry(locks(), parse_lock_ref(settings.lock).lock);
}

constexpr const char* kNotTried = "not tried";

std::string tried_with_real_waits(LockWorld& world, const ExploreStores& stores) {
  if (!world.waited() || !stores.with_real_waits) return kNotTried;
  const auto calls = world.calls();
  world.end_sessions();  // session locks are global to the server
  const std::string difference = stores.with_real_waits(calls);
  return difference.empty() ? "the same" : difference;
}

std::string not_tried() {
  return kNotTried;
}

// Share of the budget for distinguishing causes, with a minimum.
constexpr double kShareForCauses = 0.1;
constexpr double kLeastForCauses_s = 1;

struct Shortest {
  std::vector<Word> words;
  Cost cost;
  std::string cause;
  std::string flaw;
};

// The call from which on the lock is stuck, whatever happens to its holder: from there on each beginning of the
// schedule is. Empty where a fault or no single call does it.
StuckBy stuck_since(TracedWorld& world, const std::vector<Word>& words) {
  StuckBy out;
  bool stuck = false;
  for (std::size_t count = 1; count <= words.size(); ++count) {
    world.reset();
    for (std::size_t i = 0; i < count; ++i) world.take(words[i]);
    if (ended_badly(world)) break;
    const Word& last = words[count - 1];
    const StuckBy by = last.kind == WordKind::step ? world.stuck_by(last.actor / 2U) : StuckBy{};
    const bool still = world.is_stuck_from_here();
    if (!still) out = {};
    if (still && !stuck) out = by;
    stuck = still;
  }
  return out;
}

// Names the call, and the faults that the cause names.
void tell_stuck(TracedWorld& world, Shortest& find) {
  try {
    const StuckBy by = stuck_since(world, find.words);
    if (by.call.empty()) return;
    const auto faults = find.cause.find("; ");
    find.cause =
        "after " + by.call + " the lock is stuck" + (faults == std::string::npos ? "" : find.cause.substr(faults));
    find.flaw = by.flaw;
  } catch (const BadInput&) {  // one of its words is not possible this time
  }
}

Shortest shortest_of(TracedWorld& world, const Find& find) {
  Shortest out{shortened(world, find.words, find.violation.invariant), find.cost, "", ""};
  const auto cost = cost_of(world, out.words);
  if (cost && cost->total() < out.cost.total()) out.cost = *cost;
  run_schedule(world, out.words, false);
  if (find.violation.severe) out.cause = world.cause();
  out.flaw = world.flaw(find.violation);
  if (find.violation.invariant == "stuck") tell_stuck(world, out);
  return out;
}

// Runs with plain names; if the violation does not occur then, with the search's longer names, which a column may
// truncate.
std::vector<Violation> run_for_people(TracedWorld& world, const std::vector<Word>& words,
                                      const std::function<bool(const Violation&)>& wanted) {
  for (const bool plain_names : {true, false}) {
    world.for_people(true, plain_names);
    try {
      auto seen = run_schedule(world, words, false);
      if (std::any_of(seen.begin(), seen.end(), wanted)) return seen;
    } catch (const BadInput&) {  // its last run
    }
  }
  world.for_people(true, true);
  return run_schedule(world, words, false);
}

// Runs it in readable form.
Counterexample counterexample_for_people(TracedWorld& world, const std::string& invariant, const Shortest& find,
                                         const WaitsTried& real_waits) {
  const auto& words = find.words;
  const auto is_it = [&](const Violation& v) { return v.invariant == invariant; };
  std::vector<Violation> seen;
  try {
    seen = run_for_people(world, words, is_it);
  } catch (const BadInput&) {  // one of its words is not possible
  }
  world.for_people(false, true);
  const auto found = std::find_if(seen.begin(), seen.end(), is_it);
  if (found == seen.end()) {
    throw HiddenInStore(
        "explore cannot follow this lock: the schedule '" + to_text(words) + "' violated " + invariant +
        " once, but not again on fresh tables and under other names, so it also depends on something else; remedy: "
        "look for static variables, random numbers and state outside the lock's own tables");
  }
  return {*found, words, find.cost, world.trace(), find.cause, find.flaw, world.waited(), real_waits()};
}

// Names the schedule in its errors.
std::vector<Violation> run_known(TracedWorld& world, const KnownFind& known) {
  try {
    return run_schedule(world, known.words, false);
  } catch (const BadInput& wrong) {
    throw BadInput("--except " + known.name + ": " + wrong.what());
  }
}

// Known causes: those of the given schedules.
std::vector<PassedOver> known_causes(const ExploreJob& job, const LockType& type, const ExploreStores& stores,
                                     Beginning beginning) {
  std::vector<PassedOver> out;
  for (const auto& known : job.except) {
    LockWorld world(known.settings, type, stores.make(0), LockMemories(known.settings));
    world.begin_with(beginning);
    world.learn();
    out.push_back(passed_over(world, known));
  }
  return out;
}

// Distinguishes the stories of a search by their causes.
class Causes {
 public:
  Causes(TracedWorld& world, const WaitsTried& real_waits, Explored& out)
      : world_(world),
        real_waits_(real_waits),
        out_(out),
        time_s_(std::max(kLeastForCauses_s, budget_s() * kShareForCauses)) {}

  void tell(const Find& find) {
    const std::string& invariant = find.violation.invariant;
    const bool first = told_.insert(invariant).second;
    if (!first && (out_.numbers.stopped || seconds_now(out_.job.limits) - begin_s_ > time_s_)) {
      ++out_.untold;
      return;
    }
    if (!world_.may_differ()) return tell_shortest(find);
    try {
      tell_shortest(find);
    } catch (const BadInput&) {
      ++out_.untold;  // one of its words is not possible this time
    } catch (const HiddenInStore&) {
      ++out_.untold;  // it did not occur again
    }
  }

 private:
  void tell_shortest(const Find& find) {
    const std::string& invariant = find.violation.invariant;
    const Shortest shortest = shortest_of(world_, find);
    if (!told_.insert(invariant + ": " + shortest.cause).second) return;
    if (is_passed_over(invariant, shortest.cause)) return;
    out_.finds.push_back(counterexample_for_people(world_, invariant, shortest, real_waits_));
  }
  double budget_s() const { return out_.job.limits.budget_s; }
  bool is_passed_over(const std::string& invariant, const std::string& cause) {
    bool known = false;
    for (auto& one : out_.passed_over) {
      if (one.invariant != invariant || one.cause != cause) continue;
      one.seen = known = true;
    }
    return known;
  }

  TracedWorld& world_;
  const WaitsTried& real_waits_;
  Explored& out_;
  const double time_s_;
  const double begin_s_ = seconds_now(out_.job.limits);
  std::set<std::string> told_;  // invariants, and combinations with their causes
};

Explored explored(const ExploreJob& job, const LockType& type, const ExploreStores& stores, Beginning beginning) {
  auto known = known_causes(job, type, stores, beginning);
  const LockMemories memories(job.settings);
  std::vector<std::unique_ptr<LockWorld>> worlds;
  std::vector<TracedWorld*> driven;
  for (int worker = 0; worker < std::max(1, job.jobs); ++worker) {
    worlds.push_back(std::make_unique<LockWorld>(job.settings, type, stores.make(worker), memories, worker));
    worlds.back()->begin_with(beginning);
    worlds.back()->learn();
    driven.push_back(worlds.back().get());
    if (worlds.back()->alone()) break;
  }
  Explored out = search_worlds(job, type, driven);
  out.passed_over = std::move(known);
  for (const auto& world : worlds) {
    out.grants += world->grants();
    out.statements.asked += world->statements().asked;
    out.statements.memoized += world->statements().memoized;
  }
  tell_causes(*worlds.front(), out, [&] { return tried_with_real_waits(*worlds.front(), stores); });
  return out;
}

}  // namespace

std::string Explored::verdict() const {
  if (std::any_of(finds.begin(), finds.end(), [](const Counterexample& c) { return c.counts(); })) return "violated";
  const bool open = std::any_of(finds.begin(), finds.end(), [](const Counterexample& c) { return c.violation.severe; });
  const bool known =
      std::any_of(passed_over.begin(), passed_over.end(), [](const PassedOver& one) { return one.seen; });
  if (at_requests && (at_requests->too_often() || at_requests->died > 0)) return "undecided";
  // With one client there is no contention, so the lock was not tested.
  if (!numbers.complete || grants == 0 || open || untold > 0 || job.settings.clients < 2) return "undecided";
  return known ? "known" : "holds";
}

PassedOver passed_over(TracedWorld& world, const KnownFind& known) {
  const auto seen = run_known(world, known);
  const auto severe = std::find_if(seen.begin(), seen.end(), [](const Violation& v) { return v.severe; });
  if (severe == seen.end()) {
    throw BadInput(known.name + ": it does not violate any invariant of " + known.settings.lock +
                   ", so there is nothing to skip; remedy: check it with holdfast replay, and leave it out");
  }
  const Find find{*severe, known.words, {}, 0};
  return {known.name, find.violation.invariant, shortest_of(world, find).cause, false};
}

Explored search_worlds(const ExploreJob& job, const LockType& type, const std::vector<TracedWorld*>& worlds) {
  Explored out{job, search({worlds.begin(), worlds.end()}, job.limits), {}};
  out.lease = type.lease;
  out.lock_keeps_nothing = type.make != nullptr && keeps_nothing(type);
  out.promised_lease_ms = promised_lease_ms(type, job.settings.lease_ms);
  return out;
}

void tell_causes(TracedWorld& world, Explored& explored, const WaitsTried& real_waits) {
  const WaitsTried tried = real_waits ? real_waits : not_tried;
  Causes causes(world, tried, explored);
  for (const auto& find : explored.numbers.finds) causes.tell(find);
}

// State that a schedule leaves outside its own keys may affect the next: rows that a statement without a key finds,
// numbers that the server assigns, tables that the lock creates. Then the whole search is repeated with a cleaner
// beginning.
Explored explore(const ExploreJob& job, const LockType& type, const ExploreStores& stores) {
  for (const Beginning beginning : {Beginning::new_names, Beginning::emptied}) {
    try {
      return explored(job, type, stores, beginning);
    } catch (const HiddenInStore&) {
    }
  }
  return explored(job, type, stores, Beginning::new_tables);
}

Explored explore(const ExploreJob& job, const ExploreStores& stores) {
  return explore(job, type_of(job.settings), stores);
}

Counterexample replay(const ExploreSettings& settings, const std::vector<Word>& words, const ExploreStores& stores) {
  LockWorld world(settings, type_of(settings), stores.make(0), LockMemories(settings));
  return replay_in(world, words, [&] { return tried_with_real_waits(world, stores); });
}

Counterexample replay_in(TracedWorld& world, const std::vector<Word>& words, const WaitsTried& real_waits) {
  const auto seen = run_for_people(world, words, [](const Violation& v) { return v.severe; });
  auto worst = std::find_if(seen.begin(), seen.end(), [](const Violation& v) { return v.severe; });
  if (worst == seen.end()) worst = seen.begin();
  const Violation violation = seen.empty() ? Violation{} : *worst;
  const std::string cause = violation.severe && !seen.empty() ? world.cause() : "";
  const std::string flaw = world.flaw(violation);
  return {violation, words, {}, world.trace(), cause, flaw, world.waited(), real_waits ? real_waits() : kNotTried};
}

}  // namespace holdfast
