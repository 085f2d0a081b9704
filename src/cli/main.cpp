// holdfast: tests whether a distributed lock holds.
#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  return holdfast::run_command_line(argc, argv);
}
