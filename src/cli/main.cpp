// holdfast: does a distributed lock hold?
#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  return holdfast::run_command_line(argc, argv);
}
