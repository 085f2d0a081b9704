// What runs a comparison: trials in turn, and every variant under every scenario.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/scenario.hpp"
#include "servers/sandbox.hpp"
#include "suite/suite.hpp"
#include "suite/trial_pool.hpp"

namespace holdfast {

// Trials in turn: a list of them, in the order in which they are to begin, through the pool of trials. One in which
// anything stayed undecided is run once more, alone.
//
//   take_turns(turns, 2, interrupted, met, [](std::size_t turn, TrialResult result) { ... });
//
// `done` is called by one thread at a time; for a trial that is run again, twice. After an interrupt some turns are
// never told of.

struct Turn {
  const SuiteOptions* options = nullptr;  // its folder, seed and servers
  const Scenario* scenario = nullptr;
  std::string lock;
  int number = 1;
};

using TurnDone = std::function<void(std::size_t turn, TrialResult result)>;

void take_turns(const std::vector<Turn>& turns, int jobs, const std::atomic<bool>& interrupted,
                TrialEnvironment& environment, const TurnDone& done);

// The order for a comparison: repetition by repetition, scenario by scenario, one variant after the other; each
// repetition begins with another variant, so that none is always first. Gives (repetition, scenario, variant), from 0.
struct TurnPlace {
  std::size_t repetition = 0;
  std::size_t scenario = 0;
  std::size_t variant = 0;
};
std::vector<TurnPlace> in_turn(std::size_t repetitions, std::size_t scenarios, std::size_t variants);

// Runs a comparison: every variant under every scenario, n times, in turn; then the checker's verdicts and the measured
// service of each trial become one Comparison. The trials are those of `run`: same labs, same folders, same checks.
//
//   CompareOrder order{variants, scenarios, ...};
//   Comparison all = compare(order, progress, interrupted);
//
// A comparison has no expectation. It takes turns, its own order of the pool, because the order matters:
// variants alternate. What a lock's service was (checker/service.hpp) is measured in a second reading of the history,
// so that verdicts and their files know nothing of it.
//
// Every variant has a folder of its own in the comparison's, V1 and so on, with its trials' folders in it. It writes
// nothing else: compare.json, written last by the caller, makes the folder complete.

struct CompareOrder {
  std::vector<ComparedVariant> variants;
  std::vector<Scenario> scenarios;  // as they are in their files
  bool as_written = false;
  std::uint64_t seed = 1;
  int repeat = 1;
  int jobs = 1;
  std::string folder;
  std::vector<std::string> servers;  // this and the next: as SuiteOptions has them
  Sandbox* target = nullptr;
  std::string sabotage;
};

struct CompareProgress {
  int done = 0;
  int trials = 0;
  std::string last;  // "insert_lease quick/pause"
};

// Throws BadInput when something cannot be run as ordered: a scenario twice, a lock on another server than the
// scenario's topology has, a setting that no scenario knows. Call it before anything starts.
void check_order(const CompareOrder& order);

Comparison compare(const CompareOrder& order, const std::function<void(const CompareProgress&)>& progress,
                   const std::atomic<bool>& interrupted);

}  // namespace holdfast
