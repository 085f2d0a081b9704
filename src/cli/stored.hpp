// The folder of an earlier run, which somebody may have cut short since.
#pragma once

#include <string>

#include "artifact/json_reader.hpp"
#include "artifact/run_verdict.hpp"

namespace holdfast {

// The file of a run's folder that is written last. Throws BadInput that says what the folder is instead, with a remedy.
std::string verdict_file(const std::string& folder);

// The verdict of a run's folder, whose trials lie where the names of their cells say: no file says where to look.
// Throws BadInput.
RunVerdict stored_run(const std::string& folder);

}  // namespace holdfast
