// The command that runs one cell again, as pasted into a shell: the run's own command, narrowed to the cell.
//
//   holdfast run scenarios/quick --seed 42 --only nowait_lease/skew
#pragma once

#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// A command from a file, ready to be pasted, with `program` in the place of its program. Each of its words is quoted
// again, so that it can do nothing but call holdfast; any other command is not shown.
std::string stored_command(const std::string& command, const std::string& program);

std::string rerun_command(const RunVerdict&, const Cell&);

// The command that searches the schedules of the cell's lock: `holdfast explore my_lock --lock-file my_lock.sql`. Empty
// for a run of libraries, whose locks the command does not name, and for a run on the user's own server.
std::string search_command(const RunVerdict&, const Cell&);

}  // namespace holdfast
