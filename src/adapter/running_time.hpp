// Time in which a process was able to run. Limits on its answers use it, so that a program stopped by a fault, or one
// that gets no processor, is not considered slow.
//
//   RunningTime time;
//   time.sample(now_ns, process_state(pid));      // about every kSample_ms, from the request on
//   if (time.ran_ns() > limit_ns) ...
//
//   FairTime time(pid);                           // the same, excluding waits for a processor
//   time.sample(now_ns);
//
// Between two samples it ran if it was stopped at neither, and for kMostBetween_ns at most, since the sampling process
// may itself have been stopped. The error is therefore towards counting too little, except for stops shorter than the
// sampling interval, which may be missed.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <optional>
#include <string>

#include "adapter/scheduler_wait.hpp"
#include "artifact/monotonic.hpp"

namespace holdfast {

inline constexpr std::int64_t kSample_ms = 20;

class RunningTime {
 public:
  void sample(std::int64_t now_ns, char state);
  std::int64_t ran_ns() const { return ran_ns_; }
  std::int64_t stopped_ns() const { return stopped_ns_; }  // continuously, up to the last sample

 private:
  static constexpr std::int64_t kMostBetween_ns = 4 * kSample_ms * 1'000'000;
  std::optional<std::int64_t> before_ns_;  // the last sample, if it could run then
  std::optional<std::int64_t> stopped_since_ns_;
  std::int64_t ran_ns_ = 0;
  std::int64_t stopped_ns_ = 0;
};

// Excludes the waits for a processor of its longest-waiting thread (adapter/scheduler_wait.hpp), sampled twice a
// second. At most three quarters of a time are excluded, so that a limit is reached even on a fully loaded machine:
// after kLongestStretch times as long.
inline constexpr std::int64_t kLongestStretch = 4;

class FairTime {
 public:
  explicit FairTime(pid_t pid) : pid_(pid) {}
  void sample(std::int64_t now_ns);
  std::int64_t ran_ns() const { return time_.ran_ns() - waited_ns_; }
  std::int64_t stopped_ns() const { return time_.stopped_ns(); }
  // Returns true if it waited for at least half of the time. A wait still in progress is not counted.
  bool starved() const { return time_.ran_ns() > 0 && 2 * (waited_ns_ + owed_ns_) >= time_.ran_ns(); }

 private:
  pid_t pid_;
  RunningTime time_;
  std::optional<SchedulerWait> wait_;  // from the first sample on: most answers come sooner
  std::int64_t looked_ns_ = 0;         // on the clock of time_
  std::int64_t owed_ns_ = 0;           // waits not yet excluded
  std::int64_t waited_ns_ = 0;
};

// Stopped by a signal or by a tracer.
bool is_stopped(char state);

// State as in /proc/PID/stat: R S D T t Z; 'X' if the process does not exist.
char process_state(pid_t pid);

// The same, from a stat file of a process or of one of its threads.
char state_in(const std::string& stat_file);

}  // namespace holdfast
