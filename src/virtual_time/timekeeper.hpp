// Runs programs in virtual time: whenever all their threads wait and nothing is in flight between them, their common
// clock is advanced to the earliest deadline, and that wait is ended. So seconds of waiting take milliseconds. Nothing
// is traced between waits.
//
//   Timekeeper keeper;
//   const pid_t server = keeper.start({"/usr/bin/redis-server", "--port", "6379"});
//   const pid_t client = keeper.start({"/usr/bin/python3", "lock.py"});
//   keeper.run_until_ended(client);
//   keeper.seen().skipped_ns
//
// Child processes are included, whatever they execute. While a program runs, the clock advances by its processor time,
// not with the host's clock, so a busy machine does not shorten leases. While bytes are in flight, the clock does not
// skip. If they stay in flight for long, only the kernel's own timers can end that, so the clock advances with the
// host's. Bytes on links that are known to be cut (leave_out) do not count.
//
// It runs in the calling thread and reaps every child of this process. Throws HarnessError, or Unavailable if the
// kernel lacks something.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "virtual_time/exec_follower.hpp"
#include "virtual_time/held_calls.hpp"
#include "virtual_time/held_timers.hpp"
#include "virtual_time/lab_clock.hpp"
#include "virtual_time/tcp_traffic.hpp"
#include "virtual_time/thread_table.hpp"

namespace holdfast {

// Prefix of all messages about time that cannot be skipped.
inline constexpr const char* kNoVirtualTime = "virtual time: ";

// Part of the message if skipping costs more time than it saves, as for programs that poll without end.
inline constexpr const char* kRealTimeIsFaster = "its programs wait so briefly that real time is faster";

// A wait that ends too early by more than this makes a trial's time doubtful.
inline constexpr std::int64_t kMostEarlyEnd_ns = 5'000'000;

// Counters, some of which show that the trial's time is doubtful.
struct TimeSeen {
  std::uint64_t skips = 0;
  std::int64_t skipped_ns = 0;
  std::uint64_t wakes = 0;
  std::uint64_t missed_wakes = 0;  // wakes of a thread that had already continued by itself
  std::int64_t most_late_ns = 0;   // the longest delay of a wait's end while other threads ran
  std::uint64_t early_ends = 0;    // waits that the kernel ended before the clock had reached their end
  std::int64_t most_early_ns = 0;  // the earliest of them, by this much
  std::uint64_t in_flight_looks = 0;
  std::int64_t in_flight_ns = 0;                // time in which the clock advanced with the host's
  std::map<long, std::uint64_t> unknown_calls;  // system calls in which threads waited for an unknown time
};

// Flaws that the harness's own tests switch on, to check that they are detected.
struct TimeFlaws {
  bool looks_at_no_traffic = false;
  std::int64_t ends_early_ns = 0;  // each wait
};

class Timekeeper {
 public:
  explicit Timekeeper(const TimeFlaws& flaws = {});
  ~Timekeeper();  // ends all programs that it started

  pid_t start(const std::vector<std::string>& argv);
  // Returns its status, as waitpid does. Throws HarnessError if real time is clearly faster.
  int run_until_ended(pid_t process);
  // Bytes in flight on these links no longer prevent skips.
  void leave_out(const CutLinks& cut) { traffic_.leave_out(cut); }
  std::int64_t now_ns() const { return clock_.now_ns(); }
  const TimeSeen& seen() const { return seen_; }
  // The part of now_ns() in which programs worked.
  std::int64_t worked_ns() const { return passing_.passed_ns(); }
  const std::vector<std::string>& without_clock() const { return follower_.without_clock(); }

 private:
  enum class Activity : std::uint8_t { running, changed, quiet };

  bool serve(std::int64_t timeout_ns);
  void answer(const HeldCall& call);
  bool has_ended(pid_t process);
  void refuse_dear_skips();
  void step();
  bool last_runs_still(std::int64_t host_ns);
  Activity look_at_those_that_ran(std::int64_t host_ns);
  Activity look_at_all(std::int64_t host_ns);
  Activity look_at(WatchedThread& thread, std::int64_t host_ns);
  void refresh_threads(std::int64_t host_ns);
  Activity after_new_threads();
  void note_unknown(long call, std::int64_t host_ns);
  void note_early(WatchedThread& thread);
  void while_running();
  void while_in_flight();
  void wake_overdue(std::int64_t host_ns);
  void skip();
  bool begin_prompt_waits_again(std::int64_t until_host_ns);
  std::int64_t next_ns() const;
  std::int64_t last_end_until(std::int64_t until_ns) const;
  void wake_due();

  const TimeFlaws flaws_;
  LabClock clock_;
  PassingTime passing_;
  HeldCalls calls_;
  ExecFollower follower_;
  HeldTimers timers_;
  ThreadTable table_;
  TcpTraffic traffic_;
  TimeSeen seen_;
  std::map<pid_t, int> ended_;  // by process: its status
  std::vector<pid_t> started_;

  std::int64_t begin_ns_ = 0;       // time of the clock when the programs began
  std::int64_t begin_cost_ns_ = 0;  // own processor time at that moment
  WatchedThread* last_running_ = nullptr;
  long unknown_call_ = -1;  // of a thread at the last look; -1: none
  std::int64_t unknown_since_ns_ = 0;
  std::int64_t looked_all_ns_ = 0;  // time of the last look at all threads
  std::int64_t nap_ns_ = 0;
  std::int64_t last_turn_ns_ = 0;
  std::int64_t late_turn_ns_ = 0;        // longest recent time between two turns
  std::int64_t read_late_ns_ = 0;        // when late threads were last looked for
  const int load_file_;                  // /proc/loadavg
  std::int64_t in_flight_since_ns_ = 0;  // 0: nothing is in flight
  // end of the time in which the clock advanced with the host's; 0: a thread ran meanwhile
  std::int64_t in_flight_counted_ns_ = 0;
};

}  // namespace holdfast
