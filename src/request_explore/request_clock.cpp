#include "request_explore/request_clock.hpp"

#include <cerrno>
#include <ctime>

#include "artifact/monotonic.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kPastMillisecond_ns = 300'000;

std::int64_t wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * kSecond_ns + now.tv_nsec;
}

}  // namespace

void RequestClock::begin() {
  const std::int64_t past_ns = wall_ns() % kMillisecond_ns;
  sleep_until(monotonic_ns() + kMillisecond_ns - past_ns + kPastMillisecond_ns);
  zero_ns_ = monotonic_ns();
}

std::int64_t RequestClock::now_us() const {
  const std::int64_t since_ns = monotonic_ns() - zero_ns_;
  return begin_us_ + (since_ns + kMillisecond_ns / 2) / kMillisecond_ns * kMillisecond_us;
}

std::int64_t RequestClock::ns_of(std::int64_t time_us) const {
  return zero_ns_ + (time_us - begin_us_) * 1000;
}

void RequestClock::sleep_until(std::int64_t ns) {
  const timespec until{ns / kSecond_ns, ns % kSecond_ns};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace holdfast
