// A run: for every cell (a lock under a scenario) and repetition, plan, run, check, compare; trials side by
// side (trial_pool.hpp). One that the machine spoilt (undecided) is run once more, alone.
//
//   RunVerdict run = run_suite(options, [](const SuiteProgress& p) { ... });
//
// Everything is written below options.folder, verdict.json last: a folder without it is incomplete. Each trial leaves
// its result there as soon as it ends (stored_result.hpp), so that a run that was cut off can be resumed. A trial that
// was never begun is missing from its cell, which is then `not_run`: worse than any that is as expected, so that
// neither an interrupt nor a time budget turns into a pass. When all have ended, controls tell which suspected causes
// are causes (cause_controls.hpp).
//
// With `controls` a flaw that was caught has a paired control: the scenario says what its control does without, and the
// same plan with the same seed must then hold. Else a cell that breaks for another reason would count as caught.
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
  std::map<std::string, std::string> only_from;  // of patterns from a file: FILE:LINE
  std::uint64_t seed = 1;
  std::vector<std::uint64_t> seeds;  // several: each cell is repeated with each of them; empty: `seed` alone
  int repeat = 1;                    // with each seed
  int jobs = 1;
  std::string folder;  // of the run; made by new_run_folder
  TimeMode time = TimeMode::real;
  std::shared_ptr<TimeTrust> trust = std::make_shared<TimeTrust>();  // of its trials in skipped time; never null
  std::string sabotage;
  std::vector<std::string> servers;  // "mysqld=PATH": in place of the installed ones
  Sandbox* target = nullptr;         // a server of the user's own; null: each trial has one in its lab
  Hosts* hosts = nullptr;            // on which the clients' programs run; null: here
  bool controls = false;             // run the paired control of every flaw that was caught, too
  std::string budget;                // as it was given: "10m"; empty: none
  std::optional<std::chrono::steady_clock::time_point> until;  // of the budget: no trial begins after it
  // No control begins after it; none: as trials. Where no find asks for controls, trials may begin until then, too.
  std::optional<std::chrono::steady_clock::time_point> controls_until;
  bool resume = false;              // what the folder has results of is not run again
  bool again = false;               // but for trials that failed, whose folders are made anew
  bool in_order = false;            // begin trials in the order of the scenarios, not the longest first
  StopRule rule;                    // of repetitions: `repeat` is then how often at most
  bool stop_at_first = false;       // begin no trial after one that found what nobody expected
  bool once = false;                // each trial once, without controls: another run resumes, and has the rest
  std::optional<Plan> stored_plan;  // every trial is this one: of a replay
  std::vector<NotTried> left_out;   // what the suite does not try, and why: told with the result
  // LOCK/SCENARIO of the cells that this shard runs (suite/shard.hpp); none: it is no shard, and runs all.
  std::optional<std::set<std::string>> cells_of_shard;
  std::optional<std::string> only_gathered;  // begin nothing: what the folder lacks is not run, for this reason
};

inline constexpr const char* kStoppedAtFirst = "a violation was found (--first)";

struct SuiteProgress {
  int done = 0;
  int trials = 0;
  const TrialResult* last = nullptr;  // just finished
  const Cell* cell = nullptr;         // its cell
  std::string control;                // of the cell, just finished instead: "control 2: holds"
};

// Throws BadInput when `only` matches nothing, or a scenario names what does not exist. Call it before any trial runs:
// it tells all that is wrong with the input.
std::vector<Cell> plan_cells(const SuiteOptions& options);

// The scenario that a cell is of.
const Scenario& scenario_of(const SuiteOptions& options, const Cell& cell);

RunVerdict run_suite(const SuiteOptions& options, const std::function<void(const SuiteProgress&)>& progress,
                     const std::atomic<bool>& interrupted);

}  // namespace holdfast
