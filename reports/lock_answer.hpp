// Does it hold? One answer a lock, in words, where a run judged it by its promises alone: nobody expected a violation
// of it, and what no lease prevents is allowed (docs/generated.md).
//
//   for (const auto& answer : lock_answers(run)) ...
//
//   Does my_lock hold? As far as a lease can: it kept every promise in all 26 cells. In 4 of them a holder that was
//   stopped, cut off or at work past its lease acted beside another, which no lease prevents; in 3 of these the data
//   was damaged.
//
// "Yes" is said only where nothing at all was violated, and every cell told something. None, of a run whose scenarios
// expect something else.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

std::vector<std::string> lock_answers(const RunVerdict&);

// Of all other locks of a run: what became of the data, whatever was expected.
//
//   Data damaged: insert_lease/pause, ip_lease (8 cells).
//   Two believed at once, and the data was not damaged (stale writes refused: 1): fenced_lease/pause.
std::vector<std::string> data_answers(const RunVerdict&);

}  // namespace holdfast
