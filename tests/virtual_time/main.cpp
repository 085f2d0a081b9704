// Runs the tests inside a lab of their own, whose network and processes are theirs alone.
#include <gtest/gtest.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "artifact/error.hpp"
#include "lab/namespaces.hpp"
#include "lab/process.hpp"
#include "tests/needs.hpp"
#include "tests/temporary_folder.hpp"
#include "virtual_time/timekeeper.hpp"

namespace {

constexpr const char* kInside = "HOLDFAST_VIRTUAL_TIME_TEST_FOLDER";

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

// Of the lab's network, which is new.
void bring_loopback_up() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP;
  ::ioctl(socket, SIOCSIFFLAGS, &request);
  ::close(socket);
}

// Whether the kernel holds system calls for others and lets them be traced; says why not.
bool is_available() {
  try {
    holdfast::Timekeeper keeper;
    keeper.run_until_ended(keeper.start({"/bin/true"}));
    return true;
  } catch (const holdfast::Unavailable& lacking) {
    std::printf("SKIP: %s\n[  SKIPPED ]\n", lacking.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (std::getenv(kInside) == nullptr && !lists_only(argc, argv)) return in_a_lab_of_its_own(argc, argv);
  bring_loopback_up();
  if (std::getenv(kInside) != nullptr && !is_available()) return 0;
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
