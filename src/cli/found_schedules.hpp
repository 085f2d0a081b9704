// Converts finds of explore to findings of `try`: each schedule with its exact cause, and with the faults that have the
// same effects on real processes.
//
//   settings.schedules = found_schedules(folder, outcome.results);
//
// Finds that do not count, or without a known cause, are left out.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "explore/explore_result.hpp"
#include "reports/lock_findings.hpp"

namespace holdfast {

// `folder` has their replay files.
std::vector<FoundSchedule> found_schedules(const std::string& folder, const std::vector<ExploreResult>& results);

// Those of the search that was a part of a stored run; empty: there was none.
std::vector<FoundSchedule> stored_schedules(const std::string& folder, const RunVerdict& run);

}  // namespace holdfast
