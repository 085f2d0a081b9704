// Runs a comparison: every variant under every scenario, with alternating trials.
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

// Runs a list of trials in order through the trial pool. A trial with an undecided result is run once more, alone.
//
//   take_turns(turns, 2, interrupted, environment, [](std::size_t turn, TrialResult result) { ... });
//
// `done` is called by one thread at a time, twice for a trial that is repeated. After an interrupt it is not called for
// the remaining turns.

struct Turn {
  const SuiteOptions* options = nullptr;  // folder, seed and servers
  const Scenario* scenario = nullptr;
  std::string lock;
  int number = 1;
};

using TurnDone = std::function<void(std::size_t turn, TrialResult result)>;

void take_turns(const std::vector<Turn>& turns, int jobs, const std::atomic<bool>& interrupted,
                TrialEnvironment& environment, const TurnDone& done);

// Order of a comparison: by repetition, scenario and variant. Each repetition begins with another variant, so that none
// is always first. Returns (repetition, scenario, variant), from 0.
struct TurnPlace {
  std::size_t repetition = 0;
  std::size_t scenario = 0;
  std::size_t variant = 0;
};
std::vector<TurnPlace> in_turn(std::size_t repetitions, std::size_t scenarios, std::size_t variants);

// Runs every variant under every scenario n times, alternating, and combines each trial's verdict and measured service
// in one Comparison. Trials use the same labs, folders and checks as `run`.
//
//   CompareOrder order{variants, scenarios, ...};
//   Comparison all = compare(order, progress, interrupted);
//
// A comparison has no expectations. It orders trials itself, because variants must alternate. Service
// (checker/service.hpp) is measured in a second reading of the history, so verdicts and their files are independent of
// it.
//
// Every variant has a subfolder, V1 and so on, with its trials' folders. The caller writes compare.json last, which
// marks the folder as complete.

struct CompareOrder {
  std::vector<ComparedVariant> variants;
  std::vector<Scenario> scenarios;  // as in their files
  bool as_written = false;
  std::uint64_t seed = 1;
  int repeat = 1;
  int jobs = 1;
  std::string folder;
  std::vector<std::string> servers;  // this and the next: as in SuiteOptions
  Sandbox* target = nullptr;
  std::string sabotage;
};

struct CompareProgress {
  int done = 0;
  int trials = 0;
  std::string last;  // "insert_lease quick/pause"
};

// Throws BadInput if something cannot be run: a duplicate scenario, a lock on another server than the scenario's
// topology, an unknown setting. Call it before anything starts.
void check_order(const CompareOrder& order);

Comparison compare(const CompareOrder& order, const std::function<void(const CompareProgress&)>& progress,
                   const std::atomic<bool>& interrupted);

}  // namespace holdfast
