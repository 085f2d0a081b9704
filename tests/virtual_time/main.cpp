// Runs the tests inside a lab of their own, whose network and processes are theirs alone.
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstring>
#include <string>

#include "artifact/error.hpp"
#include "tests/lab_main.hpp"
#include "virtual_time/timekeeper.hpp"

namespace {

// Brings up the loopback of the lab's new network.
void bring_loopback_up() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP;
  ::ioctl(socket, SIOCSIFFLAGS, &request);
  ::close(socket);
}

std::string lacks() {
  bring_loopback_up();
  try {
    holdfast::Timekeeper keeper;
    keeper.run_until_ended(keeper.start({"/bin/true"}));
    return "";
  } catch (const holdfast::Unavailable& lacking) {
    return lacking.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  return holdfast::run_tests_in_a_lab(argc, argv, "HOLDFAST_VIRTUAL_TIME_TEST_FOLDER", lacks);
}
