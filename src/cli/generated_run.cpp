#include "cli/generated_run.hpp"

#include <algorithm>
#include <iterator>

#include "artifact/error.hpp"
#include "artifact/run_directory.hpp"
#include "cli/run_and_report.hpp"
#include "cli/stored.hpp"
#include "suite/stored_result.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

LockFacts first_facts(const std::string& folder, const std::string& lock) {
  const RunDirectory run(folder);
  const std::string trial = trial_folder(lock, kLapses, 1);
  const TrialFacts told = read_trial_facts(run.file(trial + "/facts.json"));
  return read_facts(run.file(trial + "/history.jsonl"), told.requests);
}

// Cells run before the facts were known are not repeated.
void add_rest(GeneratedSuite suite, SuiteOptions& options) {
  const auto known = [&options](const Scenario& scenario) {
    return std::any_of(options.scenarios.begin(), options.scenarios.end(), [&scenario](const Scenario& one) {
      return one.name == scenario.name && one.locks == scenario.locks;
    });
  };
  std::erase_if(suite.scenarios, known);
  std::move(suite.scenarios.begin(), suite.scenarios.end(), std::back_inserter(options.scenarios));
  std::move(suite.left_out.begin(), suite.left_out.end(), std::back_inserter(options.left_out));
}

// The first trials' results: none may be missing or have failed. Throws BadInput.
std::vector<StoredResult> first_results(const RunFlags& flags, const std::string& folder) {
  std::vector<StoredResult> out;
  for (const auto& trial : first_trials(flags)) {
    auto stored = stored_result(folder, trial);
    const bool may_run_again = stored && stored->result.outcome == Outcome::undecided && !stored->alone;
    if (!stored || failed(stored->result) || may_run_again) {
      throw BadInput(folder + ": has no judged first trial (" + trial +
                     "); remedy: holdfast run generated --only '*/lapses', with the same locks and seed");
    }
    check_evidence(RunDirectory(folder), trial, stored->sums, MissingFiles::refused);
    out.push_back(std::move(*stored));
  }
  return out;
}

// Controls add to the verdict of a trial that one of the shards counts as its own.
bool is_same_trial(const StoredResult& a, const StoredResult& b) {
  const auto same = [&](const char* file) {
    const auto one = a.sums.find(file);
    const auto other = b.sums.find(file);
    return one != a.sums.end() && other != b.sums.end() && one->second == other->second;
  };
  return same("history.jsonl") && same("facts.json") && same("plan.json");
}

SuiteOptions with_shown(const RunFlags& flags, const std::string& folder, const SuiteOptions& first) {
  SuiteOptions out = first;
  add_shown_scenarios(flags, folder, out);
  return out;
}

}  // namespace

bool shows_facts(const RunVerdict& first) {
  return std::all_of(first.cells.begin(), first.cells.end(), [](const Cell& cell) {
    if (cell.scenario != kLapses) return true;
    return !cell.trials.empty() && !failed(cell.trials.front());
  });
}

void add_shown_scenarios(const RunFlags& flags, const std::string& folder, SuiteOptions& options) {
  for (const auto& lock : flags.locks) {
    add_rest(generate_suite(lock, first_facts(folder, lock), tried_lease_ms(flags, lock)), options);
  }
}

std::vector<std::string> first_trials(const RunFlags& flags) {
  std::vector<std::string> out;
  if (!generates(flags)) return out;
  for (const auto& lock : flags.locks) out.push_back(trial_folder(lock, kLapses, 1));
  return out;
}

SuiteOptions suite_of_first_trial(const RunFlags& flags, const SuiteOptions& first) {
  first_results(flags, flags.first_trial);
  for (const auto& lock : flags.locks) {
    const Scenario scenario = lapses_scenario(lock, tried_lease_ms(flags, lock));
    const TrialJob job{first, scenario, lock, 1};
    check_plan(RunDirectory(flags.first_trial), trial_folder(lock, kLapses, 1), job.plan_of_trial());
  }
  return with_shown(flags, flags.first_trial, first);
}

void copy_first_trials(const RunFlags& flags, const std::string& folder) {
  const RunDirectory run(folder);
  for (const auto& trial : first_trials(flags)) run.copy_folder(RunDirectory(flags.first_trial), trial);
}

SuiteOptions suite_of_shards(const RunFlags& flags, const std::vector<std::string>& folders,
                             const SuiteOptions& first) {
  const auto results = first_results(flags, folders.front());
  for (const auto& folder : folders) {
    const auto others = first_results(flags, folder);
    const bool same = std::equal(results.begin(), results.end(), others.begin(), others.end(), is_same_trial);
    if (same) continue;
    throw BadInput(folder + ": its first trial is not that of " + folders.front() +
                   "; remedy: run this shard again, with the same --first-trial");
  }
  return with_shown(flags, folders.front(), first);
}

}  // namespace holdfast
