// `--baseline` and `--write-baseline` of run and merge: a run against an earlier one, and kept for a later one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct BaselineFlags {
  std::string baseline;        // a file, or a run's folder
  std::string write_baseline;  // a file
};

void add_baseline_flags(CLI::App* command, BaselineFlags& flags);

// Before anything runs: whether they can be read and written, and used for these cells. Throws BadInput.
void check_baseline_is_read(const BaselineFlags& flags);
void check_baseline_flags(const BaselineFlags& flags, const std::vector<Cell>& cells);

// Fills in what has changed, and with it the exit code.
void compare_with_baseline(const BaselineFlags& flags, RunVerdict& run);

// Keeps the run, unless it was interrupted: what it did not come to would be unknown later.
void keep_baseline(const BaselineFlags& flags, const RunVerdict& run);

}  // namespace holdfast
