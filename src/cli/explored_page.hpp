// The finds of a search as pages show them, from explored.json in its folder.
//
//   input.explored = explored_finds(folder, verdict);
//
// Empty without that file, which runs do not have. Nothing that the file names is opened.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "reports/explored_find.hpp"

namespace holdfast {

std::map<std::string, std::vector<ExploredFind>> explored_finds(const std::string& folder, const RunVerdict& verdict);

}  // namespace holdfast
