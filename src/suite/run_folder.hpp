// The folder of a run: its name, and whether servers bear a path as long as those of the trials in it.
//
//   expect_short_enough("runs", longest_trial_folder(options));
//   const std::string folder = new_run_folder("runs");
#pragma once

#include <cstddef>
#include <string>

#include "suite/suite.hpp"

namespace holdfast {

// runs/20260131T120000Z-1a2b, below `root`; also points root/latest at it.
std::string new_run_folder(const std::string& root, bool latest = true);

// Refuses (BadInput) a root in which a trial's folder would have a longer path than servers bear. `inside`: how much of
// it is below the run's folder. new_run_folder asks this for commands whose names are not known before.
void expect_short_enough(const std::string& root, std::size_t inside);
std::size_t longest_trial_folder(const SuiteOptions& options);

}  // namespace holdfast
