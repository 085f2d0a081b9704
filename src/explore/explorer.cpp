#include "explore/explorer.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "explore/lock_world.hpp"
#include "explore/schedule.hpp"

namespace holdfast {
namespace {

Counterexample shown(LockWorld& world, const std::vector<Word>& words, const std::string& invariant, const Cost& cost) {
  world.for_people(true);
  const auto seen = run_schedule(world, words, false);
  world.for_people(false);
  const auto found =
      std::find_if(seen.begin(), seen.end(), [&](const Violation& v) { return v.invariant == invariant; });
  if (found == seen.end()) {
    throw HarnessError("the schedule '" + to_text(words) + "' violated " + invariant + " once and not again");
  }
  return {*found, words, cost, world.trace(), world.waited()};
}

}  // namespace

std::string Explored::verdict() const {
  const bool grave = std::any_of(finds.begin(), finds.end(), [](const Counterexample& c) { return c.violation.grave; });
  if (grave) return "violated";
  return numbers.complete && grants > 0 ? "holds" : "undecided";
}

Explored explore(const ExploreJob& job, const StoreMaker& make_store) {
  const LockMemories memories(job.settings);
  std::vector<std::unique_ptr<LockWorld>> worlds;
  std::vector<SearchWorld*> driven;
  for (int worker = 0; worker < std::max(1, job.jobs); ++worker) {
    worlds.push_back(std::make_unique<LockWorld>(job.settings, make_store(worker), memories, worker));
    worlds.back()->learn();
    driven.push_back(worlds.back().get());
  }
  Explored out{job, search(driven, job.limits), {}, 0, {}};
  for (const auto& world : worlds) {
    out.grants += world->grants();
    out.statements.asked += world->statements().asked;
    out.statements.remembered += world->statements().remembered;
  }
  LockWorld& world = *worlds.front();
  for (const auto& find : out.numbers.finds) {
    const auto words = shortened(world, find.words, find.violation.invariant);
    out.finds.push_back(shown(world, words, find.violation.invariant, find.cost));
  }
  return out;
}

Counterexample replay(const ExploreSettings& settings, const std::vector<Word>& words, const StoreMaker& make_store) {
  LockWorld world(settings, make_store(0), LockMemories(settings));
  world.for_people(true);
  const auto seen = run_schedule(world, words, false);
  auto worst = std::find_if(seen.begin(), seen.end(), [](const Violation& v) { return v.grave; });
  if (worst == seen.end()) worst = seen.begin();
  return {seen.empty() ? Violation{} : *worst, words, {}, world.trace(), world.waited()};
}

}  // namespace holdfast
