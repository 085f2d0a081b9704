// Changes in a run since its baseline, in the words that all reports share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// The part of a cell that changed in one way against the baseline, in one line: the properties of one flaw share it.
//
//   new    ip_lease/pause: mutual_exclusion, resource in 2 of 3 trials (0 of 3 before)
//   new    get_lock/none: progress in 1 of 3 trials (the baseline does not have this cell)
//   still  upsert_lease/none: lease_exclusion in 3 of 3 trials (3 of 3 before); resource in 2 of 3 (2 of 3 before)
struct ChangeLine {
  std::string word;  // word of Change
  std::string text;
};

// The changes of the run, the gravest first; and of one cell, without its name.
std::vector<ChangeLine> change_lines(const RunVerdict& run);
std::vector<ChangeLine> change_lines(const RunVerdict& run, const Cell& cell);

// The comparison of an unexpected cell with the baseline. Without one, and in any doubt, it is new.
enum class Novelty : std::uint8_t {
  news,
  known,    // the baseline has all of it
  unknown,  // cannot be decided
};
Novelty novelty_of(const RunVerdict& run, const Cell& cell);

}  // namespace holdfast
