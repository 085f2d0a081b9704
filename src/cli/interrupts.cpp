#include "cli/interrupts.hpp"

#include <csignal>

namespace holdfast {
namespace {

std::atomic<bool> noted{false};

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { noted.store(true); };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return noted;
}

}  // namespace holdfast
