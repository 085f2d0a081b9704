#include "compare/turns.hpp"

#include <algorithm>
#include <utility>

#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

bool stayed_undecided(const TrialResult& result) {
  const auto& all = result.verdict.properties;
  return std::any_of(all.begin(), all.end(), [](const auto& p) { return p.judgement == Judgement::undecided; });
}

PoolJob job_of(const Turn& turn, std::size_t number, const std::atomic<bool>& interrupted) {
  const auto run = [turn, &interrupted](bool) {
    StoredResult ended;
    ended.result = TrialJob(*turn.options, *turn.scenario, turn.lock, turn.number).run(interrupted, ended);
    return ended;
  };
  return {number, run};
}

}  // namespace

void take_turns(const std::vector<Turn>& turns, int jobs, const std::atomic<bool>& interrupted, Surroundings& met,
                const TurnDone& done) {
  std::vector<PoolJob> list;
  for (const auto& turn : turns) list.push_back(job_of(turn, list.size(), interrupted));
  TrialWork work;
  work.next = in_order(std::move(list));
  work.done = [&done](std::size_t turn, StoredResult ended) {
    const bool again = stayed_undecided(ended.result);
    done(turn, std::move(ended.result));
    return again;
  };
  run_trials(work, jobs, interrupted, met);
}

std::vector<TurnPlace> in_turn(std::size_t repetitions, std::size_t scenarios, std::size_t variants) {
  std::vector<TurnPlace> out;
  for (std::size_t r = 0; r < repetitions; ++r) {
    for (std::size_t s = 0; s < scenarios; ++s) {
      for (std::size_t v = 0; v < variants; ++v) out.push_back({r, s, (v + r + s) % variants});
    }
  }
  return out;
}

}  // namespace holdfast
