// The main function of a program whose tests run inside a lab of their own: the program starts itself again in there.
//
//   int main(int argc, char** argv) {
//     return holdfast::run_tests_in_a_lab(argc, argv, "HOLDFAST_DISK_TEST_FOLDER");
//   }
//
// `folder_variable` names the folder that the tests may write to, inside. `lacks`, called inside before the tests, says
// what the machine lacks for them, and they are skipped then.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab/namespaces.hpp"
#include "lab/process.hpp"
#include "tests/needs.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {

// Returns true if the user nobody can enter this program's folder. Below /root that user cannot, and the lab runs as
// root.
inline bool is_open_to_other_users() {
  namespace fs = std::filesystem;
  fs::path so_far;
  for (const auto& part : fs::path(own_program()).parent_path()) {
    so_far /= part;
    if ((fs::status(so_far).permissions() & fs::perms::others_exec) == fs::perms::none) return false;
  }
  return true;
}

inline int start_again_in_a_lab(int argc, char** argv, const char* folder_variable) {
  if (const int skipped = skipped_without_lab(); skipped >= 0) return skipped;
  const TemporaryFolder folder;
  ::setenv(folder_variable, folder.path().c_str(), 1);
  const bool handed_over = is_open_to_other_users() && hand_over(folder.path());
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<std::string> words{own_program()};
    words.insert(words.end(), argv + 1, argv + argc);
    run_in_lab(folder.path(), words);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (handed_over) take_back(folder.path());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

inline bool only_lists_tests(int argc, char** argv) {
  for (int n = 1; n < argc; ++n) {
    if (std::string(argv[n]).find("--gtest_list_tests") == 0) return true;
  }
  return false;
}

inline int run_tests_in_a_lab(int argc, char** argv, const char* folder_variable,
                              const std::function<std::string()>& lacks = nullptr) {
  const bool is_inside = std::getenv(folder_variable) != nullptr;
  if (!is_inside && !only_lists_tests(argc, argv)) return start_again_in_a_lab(argc, argv, folder_variable);
  const std::string lacking = is_inside && lacks ? lacks() : "";
  if (!lacking.empty()) {
    std::printf("SKIP: %s\n[  SKIPPED ]\n", lacking.c_str());
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

}  // namespace holdfast
