// What explore found, as the findings of `try` take it: each schedule with its exact cause, and with the faults that do
// to real processes what its words do to simulated clients.
//
//   settings.schedules = found_schedules(folder, outcome.results);
//
// One that does not count, or of which no cause is known, explains nothing and is left out.
#pragma once

#include <string>
#include <vector>

#include "explore/explore_result.hpp"
#include "reports/lock_findings.hpp"

namespace holdfast {

// `folder` has their replay files.
std::vector<FoundSchedule> found_schedules(const std::string& folder, const std::vector<ExploreResult>& results);

}  // namespace holdfast
