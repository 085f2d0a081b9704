#include "virtual_time/watched_process.hpp"

#include <algorithm>
#include <ctime>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

std::int64_t processor_ns(pid_t process) {
  clockid_t clock = 0;
  timespec used{};
  const bool is_known = ::clock_getcpuclockid(process, &clock) == 0 && ::clock_gettime(clock, &used) == 0;
  return is_known ? std::int64_t{used.tv_sec} * kSecond_ns + used.tv_nsec : -1;
}

}  // namespace

void WatchedProcess::remove(WatchedThread& thread) {
  threads_.erase(std::remove(threads_.begin(), threads_.end(), &thread), threads_.end());
}

bool WatchedProcess::may_have_run() {
  seen_ns_ = processor_ns(number_);
  return seen_ns_ < 0 || seen_ns_ != at_rest_ns_;
}

}  // namespace holdfast
