// What a run ran on, and how well the machine served it: environment.json in the run's folder, a table in its report.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// For people: name -> value.
std::map<std::string, std::string> environment(const RunVerdict& verdict);

// The same for machines, with the load and the stalls of each trial that had any. Asked when the run is over.
nlohmann::json environment_json(const RunVerdict& verdict, const std::string& folder);

}  // namespace holdfast
