// Carries out a run from its order to its reports, with a suite from files or generated during the run.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cli/run_flags.hpp"
#include "cli/stored.hpp"
#include "generate/generated_suite.hpp"
#include "suite/suite.hpp"

namespace holdfast {

// `holdfast run generated --lock NAME`: generates a suite for a lock during the run.
//
// The first scenario shows which statements the lock sends; the others are generated from them. On --resume the stored
// history of the first trial gives the same suite again.
bool generates(const RunFlags& flags);

// Throws BadInput for an unknown lock, or for the suite `generated` without a lock or beside other suites.
void check_generated(const RunFlags& flags);

// Returns how many cells are known before the run, after checking all of them; throws BadInput.
std::size_t check_cells(const RunFlags& flags, const SuiteOptions& options);

// Common part of `run`, `run --resume` and the replay of a cell:
//
//   SuiteOptions options = suite_options(flags, ".");
//   plan_cells(options);                                   // throws if something is wrong, before anything starts
//   RunVerdict verdict = run_and_report(flags, options, new_manifest(flags, options, utc_now()), 0);
//
// Prints the result. Catches Ctrl-C from then on.

// `directory`: base of the flags' relative paths. Without a lock, a generated suite is for the named adapters, and
// flags.locks is set to them. `asked_in`: the folder of the run whose run.json has the flags; empty: the command line.
// Throws BadInput.
SuiteOptions suite_options(RunFlags& flags, const std::string& directory, const std::string& asked_in = "");

// Loads the scenarios of the paths. With --lock, that lock replaces the scenarios' own (suite/placed_suite.hpp), and
// scenarios that do not fit are left out. Of a generated suite it adds only the first.
void add_scenarios(const RunFlags& flags, const std::string& directory, SuiteOptions& options);

// Called with the verdict at the end of the run, to write and print it. options.folder is still locked.
using RunEnding = std::function<void(RunVerdict& verdict, const SuiteOptions& options)>;

// Runs before the first trial, when the run's folder exists. It may set the bounds of the time.
using RunBeginning = std::function<void(SuiteOptions& options)>;

// Runs into a new folder, or continues in options.folder if options.resume is set. `seconds_before`: time used before
// resuming. Without an `ending` it writes the reports and prints the matrix.
RunVerdict run_and_report(const RunFlags& flags, SuiteOptions& options, const RunManifest& manifest,
                          double seconds_before, const RunEnding& ending = {}, const RunBeginning& beginning = {});

// Sets the exit code by the locks' grades, if the run is a whole suite that grades its locks.
void take_grades(const RunFlags& flags, RunVerdict& verdict);

// Default end of a run.
void report_run(RunVerdict& verdict, const RunFlags& flags, const SuiteOptions& options, const RunManifest& manifest);

// `run SUITE...`, from flags to exit code.
int run_suites(const RunFlags& given);

// `run --resume`: runs what is missing in that folder.
int resume_run(const RunFlags& given);

}  // namespace holdfast
