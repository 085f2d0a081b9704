// Timers of programs in virtual time: alarm, setitimer, timer_create and related calls, timerfd_settime. The kernel
// would run them by the host's clock, so the calls are held (held_calls.hpp) and handled here: when the lab's clock
// reaches the time, the timer's signal is sent, or its descriptor becomes readable.
//
//   HeldTimers timers(calls, clock);
//   if (timers.handles(call)) timers.handle(call);
//   timers.next_ns();          // the earliest deadline
//   timers.fire();             // fires all due timers
//
// Timers of processor time are left to the kernel.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "virtual_time/held_calls.hpp"
#include "virtual_time/lab_clock.hpp"
#include "virtual_time/wait_end.hpp"

namespace holdfast {

class HeldTimers {
 public:
  HeldTimers(const HeldCalls& calls, const LabClock& clock) : calls_(calls), clock_(clock) {}
  ~HeldTimers();
  HeldTimers(const HeldTimers&) = delete;
  HeldTimers& operator=(const HeldTimers&) = delete;

  static bool handles(const HeldCall& call);
  void handle(const HeldCall& call);
  std::int64_t next_ns() const;
  bool fire();                   // returns true if one was due
  void forget(pid_t process);    // that has ended
  void executed(pid_t process);  // a new program: timers of timer_create are gone

 private:
  struct Timer {
    std::int64_t due_ns = kNever_ns;
    std::int64_t interval_ns = 0;
    bool wall = false;  // uses the wall clock
    sigevent event{};   // how its expiry is signalled
    std::int64_t overruns = 0;
    int descriptor = -1;  // of a timerfd: our own copy
  };
  using Key = std::pair<pid_t, std::int64_t>;  // process, and number of the timer

  void set_alarm(const HeldCall& call, pid_t process);
  void set_interval_timer(const HeldCall& call, pid_t process);
  void create(const HeldCall& call, pid_t process);
  void set(const HeldCall& call, Timer& timer, bool absolute, std::uint64_t value, std::uint64_t old);
  void set_descriptor(const HeldCall& call, pid_t process);
  void get_descriptor(const HeldCall& call, pid_t process);
  void ring(const Key& key, Timer& timer);
  void drop(const Key& key);
  std::int64_t left_ns(const Timer& timer) const;

  const HeldCalls& calls_;
  const LabClock& clock_;
  std::map<Key, Timer> timers_;
  std::int64_t last_created_ = 0;
};

}  // namespace holdfast
