// Carries a run out from its order to its reports: what `run`, `run --resume` and the replay of a cell have in common.
//
//   SuiteOptions options = suite_options(flags, ".");
//   plan_cells(options);                                   // tells what is wrong before anything starts
//   RunVerdict verdict = run_and_report(flags, options, new_manifest(flags, options, utc_now()), 0);
//
// It prints the result, and catches Ctrl-C from then on.
#pragma once

#include <string>

#include "cli/run_manifest.hpp"

namespace holdfast {

// `directory`: where the flags' paths are to be read. Throws BadInput.
SuiteOptions suite_options(const RunFlags& flags, const std::string& directory);

// Into a new folder, or, where options.resume says so, into options.folder. `seconds_before`: what the run that is
// resumed has taken so far.
RunVerdict run_and_report(const RunFlags& flags, SuiteOptions& options, const RunManifest& manifest,
                          double seconds_before);

}  // namespace holdfast
