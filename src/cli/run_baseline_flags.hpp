// `--baseline` and `--write-baseline` of run and merge: compare with an earlier run, and store for a later one.
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

// Checks before the run that baselines can be read, written and applied to these cells. Throws BadInput.
void check_baseline_is_read(const BaselineFlags& flags);
void check_baseline_flags(const BaselineFlags& flags, const std::vector<Cell>& cells);

// Adds the changes since the baseline, and sets the exit code accordingly.
void compare_with_baseline(const BaselineFlags& flags, RunVerdict& run);

// Stores the run as a baseline unless it was interrupted, since its missing cells would be unknown later.
void keep_baseline(const BaselineFlags& flags, const RunVerdict& run);

}  // namespace holdfast
