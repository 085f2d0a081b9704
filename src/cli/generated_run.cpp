#include "cli/generated_run.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "artifact/error.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

std::string first_history(const SuiteOptions& options, const std::string& lock) {
  return options.folder + "/" + trial_folder(lock, kLapses, 1) + "/history.jsonl";
}

bool all_judged(const RunVerdict& first) {
  return std::all_of(first.cells.begin(), first.cells.end(), [](const Cell& cell) {
    return !cell.trials.empty() && cell.trials.front().outcome != Outcome::harness_error &&
           cell.trials.front().outcome != Outcome::unavailable;
  });
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
  return out;
}

}  // namespace holdfast
