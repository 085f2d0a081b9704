// Runs the tests inside a lab of their own, so that they have networks, and leave nothing behind.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdlib>
#include <string>
#include <vector>

#include "lab/namespaces.hpp"
#include "lab/process.hpp"
#include "tests/needs.hpp"
#include "tests/temporary_folder.hpp"

namespace {

constexpr const char* kInside = "HOLDFAST_RELAY_TEST_FOLDER";

int in_a_lab(int argc, char** argv) {
  if (const int skipped = holdfast::skipped_without_lab(); skipped >= 0) return skipped;
  const holdfast::TemporaryFolder folder;
  ::setenv(kInside, folder.path().c_str(), 1);
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<std::string> words{holdfast::own_program()};
    words.insert(words.end(), argv + 1, argv + argc);
    holdfast::run_in_lab(folder.path(), words);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

bool only_lists(int argc, char** argv) {
  for (int n = 1; n < argc; ++n) {
    if (std::string(argv[n]).find("--gtest_list_tests") == 0) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (std::getenv(kInside) == nullptr && !only_lists(argc, argv)) return in_a_lab(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
