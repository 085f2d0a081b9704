// A program that waits until all is quiet, beside a thread that works and then sleeps for two seconds, again and again.
// Prints how many waits returned while the thread was not asleep, the longest that the clock moved during a wait, and
// how far the deadline that each wait gives was from the thread's own, at most: all in nanoseconds.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "virtual_time/quiet_wait.hpp"

namespace {

constexpr std::int64_t kTwoSeconds_ns = 2'000'000'000;

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void sleep_until(std::int64_t ns) {
  const timespec until{ns / 1'000'000'000, ns % 1'000'000'000};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

std::atomic<bool> asleep{false};
std::atomic<bool> over{false};
std::atomic<std::int64_t> deadline_ns{0};

void work_and_sleep() {
  volatile unsigned sum = 0;
  while (!over) {
    asleep = false;
    for (unsigned i = 0; i < 2'000'000; ++i) sum = sum + i;
    deadline_ns = now_ns() + kTwoSeconds_ns;
    asleep = true;
    sleep_until(deadline_ns);
  }
}

}  // namespace

int main(int, char** words) {
  const int rounds = std::atoi(words[1]);
  holdfast::QuietWait quiet;
  quiet.let_work_take_no_time();
  std::thread other(work_and_sleep);
  int too_soon = 0;
  std::int64_t moved_ns = 0;
  std::int64_t apart_ns = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t before_ns = now_ns();
    const std::int64_t next_ns = quiet.wait();
    if (!asleep) ++too_soon;
    moved_ns = std::max(moved_ns, now_ns() - before_ns);
    apart_ns = std::max(apart_ns, std::abs(next_ns - deadline_ns));
    sleep_until(next_ns);
  }
  over = true;
  other.join();
  std::printf("%d %lld %lld\n", too_soon, static_cast<long long>(moved_ns), static_cast<long long>(apart_ns));
}
