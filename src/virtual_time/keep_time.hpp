// The process `holdfast timekeeper`, between a lab's first process and the trial.
#pragma once

#include <string>
#include <vector>

namespace holdfast {

// Runs the program and its children in virtual time until the program ends. Writes time.json to the folder. Returns the
// program's exit code. Throws Unavailable if the kernel lacks something. `early`, for the harness's own tests: ends
// each wait some milliseconds early.
int run_in_virtual_time(const std::string& folder, const std::vector<std::string>& argv, bool early);

}  // namespace holdfast
