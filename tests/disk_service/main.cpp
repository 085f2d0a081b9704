// Runs the tests inside a lab of their own, where they may mount; and, as the program itself does, the disk's process.
#include <cstdlib>
#include <string>

#include "disk/disk_service.hpp"
#include "tests/lab_main.hpp"

// `disk --device N --orders N`, as ServerDisk starts it.
int main(int argc, char** argv) {
  if (argc == 6 && std::string(argv[1]) == "disk") {
    holdfast::run_disk(std::atoi(argv[3]), std::atoi(argv[5]));
    return 0;
  }
  return holdfast::run_tests_in_a_lab(argc, argv, "HOLDFAST_DISK_TEST_FOLDER");
}
