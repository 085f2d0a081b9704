// The program, but for main(): tests/planted links a program of its own with it.
#pragma once

namespace holdfast {

// Parses the command line, runs the command that it names, and returns the exit code (artifact/error.hpp).
int run_command_line(int argc, char** argv);

}  // namespace holdfast
