// The searches that `try` makes of an adapter: each has wider bounds than the one before, and all share one budget.
//
//   order.jobs = widening(job);                                // thin first
//   if (widened_enough(results)) ...                           // no wider search is needed
//   const ExploreResult& one = most_telling(results);          // the one that try reports
#pragma once

#include <vector>

#include "explore/explore_result.hpp"

namespace holdfast {

std::vector<ExploreJob> widening(const ExploreJob& widest);

// A search with faults is over, and the lock was found to be violated.
bool widened_enough(const std::vector<ExploreResult>& results);

// The violated one with the most causes; else one that forbids "holds"; else the widest complete one; else the first.
// Throws HarnessError: there is none.
const ExploreResult& most_telling(const std::vector<ExploreResult>& results);

}  // namespace holdfast
