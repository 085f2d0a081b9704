#include "explore/explorer.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "explore/hidden_state.hpp"
#include "explore/lock_world.hpp"
#include "explore/schedule.hpp"

namespace holdfast {
namespace {

const LockType& type_of(const ExploreSettings& settings) {
  return *find_entry(locks(), parse_lock_ref(settings.lock).lock);
}

std::string tried_with_real_waits(LockWorld& world, const ExploreStores& stores) {
  if (!world.waited() || !stores.with_real_waits) return "not tried";
  const auto calls = world.calls();
  world.end_sessions();  // the names of their own locks are the whole server's
  const std::string difference = stores.with_real_waits(calls);
  return difference.empty() ? "the same" : difference;
}

Counterexample shown(LockWorld& world, const Find& find, const ExploreStores& stores) {
  const std::string& invariant = find.violation.invariant;
  const auto words = shortened(world, find.words, invariant);
  world.for_people(true);
  const auto seen = run_schedule(world, words, false);
  world.for_people(false);
  const auto found =
      std::find_if(seen.begin(), seen.end(), [&](const Violation& v) { return v.invariant == invariant; });
  if (found == seen.end()) {
    throw HiddenState("explore cannot follow this lock: the schedule '" + to_text(words) + "' violated " + invariant +
                      " once and not again, on fresh tables and under other names, so something else decides, too; "
                      "remedy: look for static variables, random numbers and state outside of the lock's own tables");
  }
  return {*found, words, find.cost, world.trace(), world.waited(), tried_with_real_waits(world, stores)};
}

Explored explored(const ExploreJob& job, const LockType& type, const ExploreStores& stores, Beginning beginning) {
  const LockMemories memories(job.settings);
  std::vector<std::unique_ptr<LockWorld>> worlds;
  std::vector<SearchWorld*> driven;
  for (int worker = 0; worker < std::max(1, job.jobs); ++worker) {
    worlds.push_back(std::make_unique<LockWorld>(job.settings, type, stores.make(worker), memories, worker));
    worlds.back()->begin_with(beginning);
    worlds.back()->learn();
    driven.push_back(worlds.back().get());
  }
  Explored out{job, search(driven, job.limits), {}, 0, {}};
  out.lock_keeps_nothing = keeps_nothing(type);
  out.promised_lease_ms = promised_lease_ms(type, job.settings.lease_ms);
  for (const auto& world : worlds) {
    out.grants += world->grants();
    out.statements.asked += world->statements().asked;
    out.statements.remembered += world->statements().remembered;
  }
  LockWorld& world = *worlds.front();
  for (const auto& find : out.numbers.finds) out.finds.push_back(shown(world, find, stores));
  return out;
}

}  // namespace

std::string Explored::verdict() const {
  if (std::any_of(finds.begin(), finds.end(), [](const Counterexample& c) { return c.counts(); })) return "violated";
  const bool open = std::any_of(finds.begin(), finds.end(), [](const Counterexample& c) { return c.violation.grave; });
  return numbers.complete && grants > 0 && !open ? "holds" : "undecided";
}

// What a schedule leaves where nobody looks may matter to the next: rows that a statement without a key finds, numbers
// that the server gives out, tables of the lock's own making. Then all is searched once more with less left over.
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
  world.for_people(true);
  const auto seen = run_schedule(world, words, false);
  auto worst = std::find_if(seen.begin(), seen.end(), [](const Violation& v) { return v.grave; });
  if (worst == seen.end()) worst = seen.begin();
  return {seen.empty() ? Violation{} : *worst, words, {}, world.trace(), world.waited(),
          tried_with_real_waits(world, stores)};
}

}  // namespace holdfast
