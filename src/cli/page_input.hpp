// Reads what a run's page is made of from the run's folder: each trial's verdict, and the history of each trial that
// has a picture. A history that is not there, or cannot be read, costs the page that picture's events and nothing else:
// the page says why.
#pragma once

#include <string>

#include "reports/page.hpp"

namespace holdfast {

PageInput page_input(const RunVerdict& verdict, const std::string& folder);

}  // namespace holdfast
