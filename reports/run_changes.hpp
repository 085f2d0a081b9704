// What has changed in a run since its baseline, in the words that all reports share.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// "insert_lease/pause, mutual_exclusion: not as expected in 0 of 3 trials before, in 2 of 3 now; it was as expected
// before"
std::string change_text(const RunChange& change);

// Whether a cell is not as expected only in what the baseline has, too: somebody knows of it.
bool is_known(const RunVerdict& run, const Cell& cell);

std::vector<const RunChange*> changes_of(const RunVerdict& run, Change change);

}  // namespace holdfast
