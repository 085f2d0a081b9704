// What has changed in a run since its baseline, in the words that all reports share.
#pragma once

#include <cstdint>
#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// "insert_lease/pause, mutual_exclusion: not as expected in 0 of 3 trials before, in 2 of 3 now; it was as expected
// before"
std::string change_text(const RunChange& change);

// How a cell that is not as expected stands against the baseline. Without one, and of any doubt, it is news.
enum class Novelty : std::uint8_t {
  news,
  known,    // the baseline has all of it
  unknown,  // it cannot tell
};
Novelty novelty_of(const RunVerdict& run, const Cell& cell);

}  // namespace holdfast
