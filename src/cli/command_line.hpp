// The whole program except main(): tests/planted links its own program with it.
#pragma once

namespace holdfast {

// Parses the command line, runs its command, and returns the exit code (artifact/error.hpp).
int run_command_line(int argc, char** argv);

}  // namespace holdfast
