// One thread of a lab in virtual time, observed from outside: whether it runs, and until when it waits. Nothing is
// traced: four files of /proc are kept open. A wait is unchanged if the thread was never scheduled since.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "artifact/units.hpp"
#include "virtual_time/lab_clock.hpp"
#include "virtual_time/passing_time.hpp"
#include "virtual_time/traced_thread.hpp"
#include "virtual_time/wait_end.hpp"

namespace holdfast {

// The programs' timer slack, which allows the kernel to end their waits late: it does not end them by its own clock
// while the lab's is stopped, because on a busy processor an earlier timer always comes first.
inline constexpr std::int64_t kTimerSlack_ns = 3600 * kSecond_ns;

class WatchedThread {
 public:
  enum class Look : std::uint8_t { gone, runs, waits_anew, waits_still };

  WatchedThread(pid_t process, pid_t tid);
  ~WatchedThread();
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;

  // Returns false if it had already ended.
  bool can_be_seen() const { return call_file_ >= 0 && schedule_file_ >= 0 && state_file_ >= 0 && status_file_ >= 0; }
  // Counts its processor time since the last look as passed.
  Look look(PassingTime& time);
  // Returns true if it waited at the last look and has not run since. It may be about to run.
  bool has_not_run() const;
  // Returns false if it is running, or was woken and waits for a processor. In the latter case the kernel still reports
  // the call in which the thread slept.
  bool is_asleep() const;
  // Ends its wait as if the time were over: it continues when the result is destroyed, so that several continue
  // together. Null: it has left that wait.
  std::unique_ptr<TracedThread> wake(const LabClock& clock);
  // Restarts its call, whose wait the kernel would end by its own clock, if it is still in that wait.
  void begin_again(const LabClock& clock);

  pid_t process() const { return process_; }
  pid_t tid() const { return tid_; }
  bool waits() const { return waits_; }
  bool is_stopped() const { return stopped_; }  // by a signal: its own deadlines do not count
  const WaitEnd& end() const { return end_; }   // of its wait
  long unknown_call() const {
    return unknown_;
  }  // at the last look, at which it slept in a call not known to wait; -1: none

  std::int64_t take_early_ns() { return std::exchange(early_ns_, 0); }  // largest time by which a wait ended too early

 private:
  std::unique_ptr<TracedThread> interrupt_wait(const LabClock& clock, user_regs_struct& registers);
  void resume(TracedThread& thread, user_regs_struct registers, const LabClock& clock);
  void leave_wait(const LabClock& clock);
  void note_used(const std::string& schedule, PassingTime& time);
  void read_call(const std::string& text);
  bool read_end(const LabClock& clock);
  Look begin_wait(const LabClock& clock, std::uint64_t switches);

  const pid_t process_;
  const pid_t tid_;
  int call_file_;      // syscall
  int schedule_file_;  // schedstat
  int state_file_;     // stat
  int status_file_;    // status
  bool waits_ = false;
  bool stopped_ = false;
  std::uint64_t switches_ = 0;
  BlockedCall call_, last_call_;
  WaitEnd end_;
  long unknown_ = -1;
  std::int64_t early_ns_ = 0;
  std::int64_t processor_ns_ = -1;  // so far, when last seen; -1: not yet
};

}  // namespace holdfast
