// Carries a run out from its order to its reports, be its suite read from files or made while it goes on.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cli/run_flags.hpp"
#include "cli/stored.hpp"
#include "generate/generated_suite.hpp"
#include "suite/suite.hpp"

namespace holdfast {

// `holdfast run generated --lock NAME`: a suite that is made for a lock, while the run goes on.
//
// The first scenario shows which statements the lock sends; the others are made from that. On --resume the stored
// history of the first makes the same suite again.
bool generates(const RunFlags& flags);

// Throws BadInput: a lock that is not known, the suite `generated` without one, or beside other suites.
void check_generated(const RunFlags& flags);

// How many cells are known before the run, all of them checked; throws BadInput.
std::size_t check_cells(const RunFlags& flags, const SuiteOptions& options);

// `run`, `run --resume` and the replay of a cell have this in common:
//
//   SuiteOptions options = suite_options(flags, ".");
//   plan_cells(options);                                   // tells what is wrong before anything starts
//   RunVerdict verdict = run_and_report(flags, options, new_manifest(flags, options, utc_now()), 0);
//
// It prints the result, and catches Ctrl-C from then on.

// `directory`: where the flags' paths are to be read. A generated suite is for the adapters that were named, where no
// lock is: flags.locks then has them. `asked_in`: the run's folder whose run.json has the flags; empty: the command
// line. Throws BadInput.
SuiteOptions suite_options(RunFlags& flags, const std::string& directory, const std::string& asked_in = "");

// Those of the paths; with --lock in them the lock takes the place of theirs (suite/placed_suite.hpp), and what does
// not fit is left out; of a generated suite the first alone.
void add_scenarios(const RunFlags& flags, const std::string& directory, SuiteOptions& options);

// What is done with a verdict when its run has ended: it is written, and printed. options.folder is still ours alone.
using RunEnding = std::function<void(RunVerdict& verdict, const SuiteOptions& options)>;

// Runs before the first trial, when the run's folder exists. It may set the bounds of the time.
using RunBeginning = std::function<void(SuiteOptions& options)>;

// Into a new folder, or, where options.resume says so, into options.folder. `seconds_before`: what the run that is
// resumed has taken so far. Without an `ending` it ends as every run does: the reports, and the matrix on the terminal.
RunVerdict run_and_report(const RunFlags& flags, SuiteOptions& options, const RunManifest& manifest,
                          double seconds_before, const RunEnding& ending = {}, const RunBeginning& beginning = {});

// How a run ends without one of its own.
void report_run(RunVerdict& verdict, const RunFlags& flags, const SuiteOptions& options, const RunManifest& manifest);

// `run SUITE...`, from its flags to its exit code.
int run_suites(const RunFlags& given);

// `run --resume`: what is missing of the run in that folder.
int resume_run(const RunFlags& given);

}  // namespace holdfast
