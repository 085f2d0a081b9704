// A suite that is generated during the run, from its first trial, `lapses` (generate/generated_suite.hpp).
//
//   RunVerdict first = run_suite(options, ...);             // options has the first scenarios
//   if (shows_facts(first)) add_shown_scenarios(flags, options.folder, options);
//
// The first trial of another run may show other statements, and so give another suite. Shards therefore share one
// first trial: each copies it from the run of --first-trial, before it begins, and `merge` refuses shards whose first
// trials differ.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "cli/run_flags.hpp"
#include "suite/suite.hpp"

namespace holdfast {

// Returns true if a suite can be generated from the first trial's results.
bool shows_facts(const RunVerdict& first);

// Adds the scenarios that the first trials in the run's folder show. Those that `options` has are not repeated.
void add_shown_scenarios(const RunFlags& flags, const std::string& folder, SuiteOptions& options);

// Folders of the first trials, below a run's folder; empty if the suite is not generated.
std::vector<std::string> first_trials(const RunFlags& flags);

// Checks the first trials in the folder of --first-trial, and returns the whole suite that they give. `first` has the
// first scenarios. Throws BadInput.
SuiteOptions suite_of_first_trial(const RunFlags& flags, const SuiteOptions& first);

// Copies them to the run's folder.
void copy_first_trials(const RunFlags& flags, const std::string& folder);

// The whole suite of shards in these folders. Throws BadInput if they do not have the same first trials.
SuiteOptions suite_of_shards(const RunFlags& flags, const std::vector<std::string>& folders, const SuiteOptions& first);

}  // namespace holdfast
