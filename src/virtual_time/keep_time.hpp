// The process `holdfast timekeeper`, between a lab's first process and the trial.
#pragma once

#include <string>
#include <vector>

namespace holdfast {

// Runs the program, and all that it starts, in virtual time until it ends. Leaves time.json in the folder. Gives the
// program's exit code. Throws Unavailable where the kernel lacks something. `early`, for our own tests: it ends each
// wait some milliseconds before its end.
int run_in_virtual_time(const std::string& folder, const std::vector<std::string>& argv, bool early);

}  // namespace holdfast
