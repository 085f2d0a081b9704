// Lists the runs in a folder with their results, for the index page (reports/runs_page.hpp).
#pragma once

#include <string>

#include "reports/runs_page.hpp"

namespace holdfast {

// Returns true if the folder is not a run itself and contains runs, comparisons, envelopes, curves or soaks.
bool holds_runs(const std::string& folder);

// Lists all of them. Unreadable or unfinished ones are marked as such. Links are not followed.
RunsPageInput runs_in(const std::string& folder);

}  // namespace holdfast
