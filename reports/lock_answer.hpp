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

#include "reports/assessment.hpp"

namespace holdfast {

std::vector<std::string> lock_answers(const RunAssessment&);

// Of all other locks of a run: what became of the data, whatever was expected.
//
//   Data damaged: insert_lease/pause, ip_lease (8 cells).
//   Two believed at once, and the data was not damaged (stale writes refused: 1): fenced_lease/pause.
std::vector<std::string> data_answers(const RunAssessment&);

// The worst that was seen of real processes and of a search: "two believed at once, the data is safe (stale writes
// refused: 3)".
std::string headline_text(const RunAssessment&);

// "my_lock: data damaged": the first words of the page and the summary of a suite that was made for one lock. Empty
// for every other run, where the comparison with what was expected says more.
std::string answer_of(const RunAssessment&);

}  // namespace holdfast
