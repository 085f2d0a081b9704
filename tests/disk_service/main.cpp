// Runs the tests inside a lab of their own, where they may mount; and, as the program itself does, the disk's process.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <string>
#include <vector>

#include "disk/disk_service.hpp"
#include "lab/namespaces.hpp"
#include "lab/process.hpp"
#include "tests/needs.hpp"
#include "tests/temporary_folder.hpp"

namespace {

constexpr const char* kInside = "HOLDFAST_DISK_TEST_FOLDER";

int in_a_lab_of_its_own(int argc, char** argv) {
  if (const int skipped = holdfast::skipped_without_lab(); skipped >= 0) return skipped;
  const holdfast::TemporaryFolder folder;
  ::setenv(kInside, folder.path().c_str(), 1);
  const bool handed_over = holdfast::hand_over(folder.path());
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<std::string> words{holdfast::own_program()};
    words.insert(words.end(), argv + 1, argv + argc);
    holdfast::run_in_lab(folder.path(), words);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (handed_over) holdfast::take_back(folder.path());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

bool lists_only(int argc, char** argv) {
  for (int n = 1; n < argc; ++n) {
    if (std::string(argv[n]).find("--gtest_list_tests") == 0) return true;
  }
  return false;
}

}  // namespace

// `disk --device N --orders N`, as ServerDisk starts it.
int main(int argc, char** argv) {
  if (argc == 6 && std::string(argv[1]) == "disk") {
    holdfast::run_disk(std::atoi(argv[3]), std::atoi(argv[5]));
    return 0;
  }
  if (std::getenv(kInside) == nullptr && !lists_only(argc, argv)) return in_a_lab_of_its_own(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
