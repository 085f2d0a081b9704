// A run: plans, runs, checks and compares every cell (a lock under a scenario) and repetition, with trials in parallel
// (trial_pool.hpp). An undecided trial is run once more, alone.
//
//   RunVerdict run = run_suite(options, [](const SuiteProgress& p) { ... });
//
// Everything is written below options.folder, verdict.json last: a folder without it is incomplete. Each trial stores
// its result when it ends (stored_result.hpp), so an interrupted run can be resumed. A trial that never began is
// missing from its cell, which is then `not_run`: worse than any expected outcome, so neither an interrupt nor a time
// budget gives a pass. After all trials, controls test the suspected causes (cause_controls.hpp).
//
// With `controls` a caught flaw has a paired control: the scenario defines what the control removes, and the same plan
// with the same seed must then hold. Otherwise a cell that fails for another reason would count as caught.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "artifact/run_verdict.hpp"
#include "artifact/scenario.hpp"
#include "artifact/time_mode.hpp"
#include "servers/sandbox.hpp"
#include "suite/stop_rule.hpp"
#include "suite/time_trust.hpp"

namespace holdfast {

class Hosts;  // hosts/remote_keeper.hpp

struct SuiteOptions {
  std::vector<Scenario> scenarios;
  std::vector<std::string> only;                 // "LOCK/SCENARIO", either may be "*"; empty: all
  std::map<std::string, std::string> only_from;  // for patterns from a file: FILE:LINE
  std::uint64_t seed = 1;
  std::vector<std::uint64_t> seeds;  // if not empty: each cell is repeated with each of them; empty: `seed` alone
  int repeat = 1;                    // per seed
  int jobs = 1;
  std::string folder;  // of the run; made by new_run_folder
  TimeMode time = TimeMode::real;
  std::shared_ptr<TimeTrust> trust = std::make_shared<TimeTrust>();  // of its trials in skipped time; never null
  std::string sabotage;
  std::vector<std::string> servers;  // "mysqld=PATH": replaces the installed one
  Sandbox* target = nullptr;         // a server of the user's own; null: each trial has one in its lab
  Hosts* hosts = nullptr;            // hosts for the clients' programs; null: run here
  bool controls = false;             // also run the paired control of every caught flaw
  std::string out_of_time;           // reason for trials not begun: "the time budget of 10m was over"
  std::optional<std::chrono::steady_clock::time_point> until;  // end of the budget: no trial begins later
  // No control begins later; empty: as for trials. If no find needs controls, trials may begin until then, too.
  std::optional<std::chrono::steady_clock::time_point> controls_until;
  bool resume = false;              // reuses the results in the folder
  bool again = false;               // except failed trials, whose folders are recreated
  bool in_order = false;            // begin trials in the order of the scenarios, instead of the longest first
  StopRule rule;                    // for repetitions; `repeat` is then the maximum
  bool stop_at_first = false;       // begins no trial after one with an unexpected finding
  bool once = false;                // each trial once, without controls: a resumed run does the rest
  std::optional<Plan> stored_plan;  // for a replay: the plan of every trial
  std::vector<NotTried> left_out;   // scenarios left out, with reasons: reported with the result
  // LOCK/SCENARIO of the cells that this shard runs (suite/shard.hpp); empty: not a shard, runs all.
  std::optional<std::set<std::string>> cells_of_shard;
  std::optional<std::string> only_gathered;  // runs nothing: cells without results are not run, for this reason
};

inline constexpr const char* kStoppedAtFirst = "a violation was found (--first)";

struct SuiteProgress {
  int done = 0;
  int trials = 0;
  const TrialResult* last = nullptr;  // just finished
  const Cell* cell = nullptr;         // its cell
  std::string control;                // if set, a control of the cell that has just finished: "control 2: holds"
};

// Throws BadInput if `only` matches nothing, or a scenario names something unknown. Call it before any trial runs: it
// reports all errors in the input.
std::vector<Cell> plan_cells(const SuiteOptions& options);

// Returns the cell's scenario.
const Scenario& scenario_of(const SuiteOptions& options, const Cell& cell);

RunVerdict run_suite(const SuiteOptions& options, const std::function<void(const SuiteProgress&)>& progress,
                     const std::atomic<bool>& interrupted);

}  // namespace holdfast
