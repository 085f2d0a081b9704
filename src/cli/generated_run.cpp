#include "cli/generated_run.hpp"

#include <algorithm>
#include <iterator>

#include "artifact/beneath.hpp"
#include "artifact/error.hpp"
#include "suite/expectation.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

std::string first_history(const SuiteOptions& options, const std::string& lock) {
  return Beneath(options.folder).file(trial_folder(lock, kLapses, 1) + "/history.jsonl");
}

bool all_judged(const RunVerdict& first) {
  return std::all_of(first.cells.begin(), first.cells.end(), [](const Cell& cell) {
    return !cell.trials.empty() && cell.trials.front().outcome != Outcome::harness_error &&
           cell.trials.front().outcome != Outcome::unavailable;
  });
}

// Nothing was wrong but that a fault's moment never came.
bool never_came(const TrialResult& trial) {
  return trial.outcome == Outcome::undecided && trial.mismatches.size() == 1 &&
         trial.mismatches.front().property == kFaults;
}

bool trial_judged_nothing(const TrialResult& trial) {
  return trial.outcome == Outcome::nothing_judged;
}

// Why a cell told nothing; empty: it told something.
std::string why_not_tried(const Cell& cell) {
  const auto all = [&cell](bool (*is)(const TrialResult&)) {
    return !cell.trials.empty() && std::all_of(cell.trials.begin(), cell.trials.end(), is);
  };
  if (cell.trials_not_run() > 0) return "";
  if (all(never_came)) return "the trigger of one of its faults never fired";
  return all(trial_judged_nothing) ? "no property was put to the test" : "";
}

void forget_proofs(RunVerdict& run, const Cell& cell) {
  for (const auto& trial : cell.trials) {
    for (const auto& proof : trial.faults) {
      for (auto& all : run.faults) {
        if (all.fault != proof.fault) continue;
        all.planned -= proof.planned;
        all.acted -= proof.acted;
      }
    }
  }
  std::erase_if(run.faults, [](const FaultProof& proof) { return proof.planned == 0; });
}

// What a generated scenario asks for may not come up with this lock. That is told as not tried: no pass, and no error.
// Where nothing else is left it stays what it is, undecided.
void set_apart(RunVerdict& run) {
  const auto silent = [](const Cell& cell) { return !why_not_tried(cell).empty(); };
  if (std::all_of(run.cells.begin(), run.cells.end(), silent)) return;
  for (const auto& cell : run.cells) {
    if (!silent(cell)) continue;
    run.not_tried.push_back({cell.lock, cell.scenario, why_not_tried(cell)});
    forget_proofs(run, cell);
  }
  std::erase_if(run.cells, silent);
  const auto gone = [&run](std::string Cell::*name) {
    return [&run, name](const std::string& text) {
      return std::none_of(run.cells.begin(), run.cells.end(), [&](const Cell& cell) { return cell.*name == text; });
    };
  };
  std::erase_if(run.locks, gone(&Cell::lock));
  std::erase_if(run.scenarios, gone(&Cell::scenario));
  run.exit_code = exit_code_of(run);
}

}  // namespace

bool generates(const RunFlags& flags) {
  return std::find(flags.paths.begin(), flags.paths.end(), kGenerated) != flags.paths.end();
}

void check_generated(const RunFlags& flags) {
  if (!generates(flags)) {
    if (flags.locks.empty()) return;
    throw BadInput("--lock goes with the suite that is made for it; remedy: holdfast run generated --lock " +
                   flags.locks.front());
  }
  if (flags.paths.size() > 1) throw BadInput("generated: runs alone; remedy: a run of its own for the other suites");
  if (flags.locks.empty()) {
    throw BadInput("generated: for which lock? remedy: holdfast run generated --lock NAME (holdfast list has them)");
  }
}

std::size_t check_cells(const RunFlags& flags, const SuiteOptions& options) {
  if (!generates(flags)) return plan_cells(options).size();
  SuiteOptions first = options;
  first.only.clear();  // may name what is not made yet
  return plan_cells(first).size();
}

RunVerdict run_generated(const RunFlags& flags, const SuiteOptions& options,
                         const std::function<void(const SuiteProgress&)>& progress,
                         const std::atomic<bool>& interrupted) {
  SuiteOptions all = options;
  all.only.clear();
  RunVerdict first = run_suite(all, progress, interrupted);
  if (first.interrupted || !first.stopped.empty() || !all_judged(first)) return first;
  if (options.stop_at_first && first.exit_code == kExitNotAsExpected) {
    first.stopped = kStoppedAtFirst;
    return first;
  }
  std::vector<NotTried> left_out;
  for (const auto& lock : flags.locks) {
    GeneratedSuite made = generate_suite(lock, read_facts(first_history(options, lock)));
    std::move(made.scenarios.begin(), made.scenarios.end(), std::back_inserter(all.scenarios));
    std::move(made.left_out.begin(), made.left_out.end(), std::back_inserter(left_out));
  }
  all.only = options.only;
  all.resume = true;  // the first scenario is not run again
  RunVerdict out = run_suite(all, progress, interrupted);
  out.seconds += first.seconds;
  out.not_tried = std::move(left_out);
  set_apart(out);
  return out;
}

}  // namespace holdfast
