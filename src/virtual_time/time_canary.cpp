#include "virtual_time/time_canary.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>

#include "artifact/error.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/units.hpp"
#include "lab/node_socket.hpp"
#include "virtual_time/timekeeper.hpp"

namespace holdfast {
namespace {

constexpr int kPort = 9;
constexpr std::int64_t kEvery_ns = 170 * kMillisecond_ns;
constexpr int kAnswer_ms = 40;

// Runs until the other side closes.
void echo(int listener) {
  const int connection = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  char byte = 0;
  while (connection >= 0 && ::read(connection, &byte, 1) == 1 && ::write(connection, &byte, 1) == 1) {
  }
  ::close(connection);
  ::close(listener);
}

bool is_answered(int socket) {
  char byte = 0;
  pollfd ready{socket, POLLIN, 0};
  return ::send(socket, &byte, 1, MSG_NOSIGNAL) == 1 && ::poll(&ready, 1, kAnswer_ms) == 1 &&
         ::read(socket, &byte, 1) == 1;
}

}  // namespace

TimeCanary::TimeCanary(const Node& asks, const Node& answers, const std::string& address) {
  const int listener = listening_socket(answers, address, kPort);
  try {
    socket_ = connected_socket(asks, address, kPort);
  } catch (...) {
    ::close(listener);
    throw;
  }
  try {
    answers_ = std::thread(echo, listener);
    asks_ = std::thread([this] { ask(); });
  } catch (const std::system_error& failed) {
    ::close(socket_);
    if (!answers_.joinable()) ::close(listener);
    if (answers_.joinable()) answers_.join();
    throw HarnessError("the canary of the clock needs two threads: " + system_text(failed.code().value()));
  }
}

TimeCanary::~TimeCanary() {
  end();
}

void TimeCanary::ask() {
  while (!over_.load()) {
    const std::int64_t end_ns = monotonic_ns() + kEvery_ns;
    std::this_thread::sleep_for(std::chrono::nanoseconds(kEvery_ns));
    most_early_ns_ = std::max(most_early_ns_, end_ns - monotonic_ns());
    ++rounds_;
    if (is_answered(socket_)) continue;
    ++unanswered_;
    return;  // a late answer would be taken for that of the next question
  }
}

void TimeCanary::end() {
  if (!asks_.joinable()) return;
  over_.store(true);
  asks_.join();
  ::close(socket_);
  answers_.join();
}

std::vector<std::string> TimeCanary::doubts() {
  end();
  return canary_doubts(rounds_, unanswered_, most_early_ns_);
}

std::vector<std::string> canary_doubts(std::int64_t rounds, std::int64_t unanswered, std::int64_t most_early_ns) {
  std::vector<std::string> out;
  if (rounds == 0) out.emplace_back("time was not measured: the canary did not run");
  if (unanswered > 0) out.emplace_back("time was skipped while a byte was in transit: the canary got no answer");
  if (most_early_ns > kMostEarlyEnd_ns) {
    out.push_back("a sleep of the canary ended " + std::to_string(most_early_ns / kMillisecond_ns) + " ms early");
  }
  return out;
}

}  // namespace holdfast
