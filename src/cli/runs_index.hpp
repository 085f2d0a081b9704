// Which runs lie in a folder, and how each ended, for the index page (reports/runs_page.hpp).
#pragma once

#include <string>

#include "reports/runs_page.hpp"

namespace holdfast {

// Whether the folder is of no run itself and has folders of runs, comparisons or envelopes in it.
bool holds_runs(const std::string& folder);

// All of them. What cannot be read, or came to no end, is told as such. Links are not followed.
RunsPageInput runs_in(const std::string& folder);

}  // namespace holdfast
