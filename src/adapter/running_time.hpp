// For how long a process was able to run: what a limit upon its answers is measured by, so that a program which a fault
// has stopped, or which gets no processor, is not called slow.
//
//   RunningTime time;
//   time.sample(now_ns, process_state(pid));      // every kSample_ms or so, from the moment it is asked
//   if (time.ran_ns() > limit_ns) ...
//
//   FairTime time(pid);                           // the same, without the time in which it waited for a processor
//   time.sample(now_ns);
//
// Between two samples it ran if it was stopped at neither, and for kMostBetween_ns at most: who samples may itself have
// been stopped, and nobody knows then. So it errs by counting too little, but for stops shorter than the time between
// two samples, of which it may see nothing.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <optional>

#include "adapter/scheduler_wait.hpp"
#include "artifact/monotonic.hpp"

namespace holdfast {

inline constexpr std::int64_t kSample_ms = 20;

class RunningTime {
 public:
  void sample(std::int64_t now_ns, char state);
  std::int64_t ran_ns() const { return ran_ns_; }
  std::int64_t stopped_ns() const { return stopped_ns_; }  // without a break, up to the last sample

 private:
  static constexpr std::int64_t kMostBetween_ns = 4 * kSample_ms * 1'000'000;
  std::optional<std::int64_t> before_ns_;  // the last sample, if it could run then
  std::optional<std::int64_t> stopped_since_ns_;
  std::int64_t ran_ns_ = 0;
  std::int64_t stopped_ns_ = 0;
};

// Without the waits for a processor of that thread of it which waited longest (adapter/scheduler_wait.hpp), looked at
// twice a second. A wait takes off three quarters of the time at most, so that a limit is reached at last on the
// fullest machine: after kLongestStretch times as long.
inline constexpr std::int64_t kLongestStretch = 4;

class FairTime {
 public:
  explicit FairTime(pid_t pid) : pid_(pid) {}
  void sample(std::int64_t now_ns);
  std::int64_t ran_ns() const { return time_.ran_ns() - waited_ns_; }
  // It waited for half of the time or more. A wait that continues is not counted yet.
  bool starved() const { return 2 * (waited_ns_ + owed_ns_) >= time_.ran_ns(); }

 private:
  pid_t pid_;
  RunningTime time_;
  std::optional<SchedulerWait> wait_;  // from the first look on: most answers come sooner
  std::int64_t looked_ns_ = 0;         // of time_
  std::int64_t owed_ns_ = 0;           // waits that are not taken off yet
  std::int64_t waited_ns_ = 0;
};

// Stopped by a signal or by a tracer.
bool is_stopped(char state);

// As in /proc/PID/stat: R S D T t Z; 'X' where there is no such process.
char process_state(pid_t pid);

}  // namespace holdfast
