// Trials in turn: a list of them, in the order in which they are to begin, through the pool of trials. One in which
// anything stayed undecided is run once more, alone.
//
//   take_turns(turns, 2, interrupted, met, [](std::size_t turn, TrialResult result) { ... });
//
// `done` is called by one thread at a time; for a trial that is run again, twice. After an interrupt some turns are
// never told of.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "suite/suite.hpp"
#include "suite/trial_pool.hpp"

namespace holdfast {

struct Turn {
  const SuiteOptions* options = nullptr;  // its folder, seed and servers
  const Scenario* scenario = nullptr;
  std::string lock;
  int number = 1;
};

using TurnDone = std::function<void(std::size_t turn, TrialResult result)>;

void take_turns(const std::vector<Turn>& turns, int jobs, const std::atomic<bool>& interrupted, Surroundings& met,
                const TurnDone& done);

// The order for a comparison: repetition by repetition, scenario by scenario, one variant after the other; each
// repetition begins with another variant, so that none is always first. Gives (repetition, scenario, variant), from 0.
struct TurnPlace {
  std::size_t repetition = 0;
  std::size_t scenario = 0;
  std::size_t variant = 0;
};
std::vector<TurnPlace> in_turn(std::size_t repetitions, std::size_t scenarios, std::size_t variants);

}  // namespace holdfast
