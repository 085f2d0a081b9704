// Time that a process waited for a processor: the kernel's own counter (schedstat) for each thread. A process that
// sleeps or is stopped by a signal does not wait in this sense; one that is starved or throttled does.
//
//   SchedulerWait wait(pid, now_ns);
//   ... a while later ...
//   wait.look_ns(now_ns);  // longest wait of one of its threads since the last call
//
// The kernel counts a wait at its end, and a thread may end right after it: ThreadWait adds what is still in progress.
// Not visible: a wait for less than two looks whose thread then ends, waits for a disk, and time that a hypervisor took
// from a processor.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace holdfast {

// The kernel's counts of one thread since its start.
struct SchedulerCount {
  std::int64_t ran_ns = 0;
  std::int64_t waited_ns = 0;  // waits that have ended
  bool operator==(const SchedulerCount&) const = default;
};

// Parses a schedstat line; empty: malformed.
std::optional<SchedulerCount> scheduler_count(const std::string& schedstat);

// Waits of one thread, each counted once. A thread that was runnable at the last look and has the same counts now
// waited for the whole time between them; of the kernel's count of that wait, which comes later, only the rest is
// added.
class ThreadWait {
 public:
  // Returns what the thread waited since the last look; a new one: since its start. `is_runnable`: read after `count`.
  std::int64_t look_ns(std::int64_t now_ns, const SchedulerCount& count, bool is_runnable);

 private:
  SchedulerCount before_;
  std::optional<std::int64_t> runnable_ns_;  // the last look, if it was runnable then
  std::int64_t ahead_ns_ = 0;                // returned, not yet in the kernel's count
};

class SchedulerWait {
 public:
  SchedulerWait(pid_t pid, std::int64_t now_ns);
  std::int64_t look_ns(std::int64_t now_ns);

 private:
  std::string tasks_;
  std::map<std::string, ThreadWait> threads_;  // by number
};

// Reads a kernel file; empty: unreadable.
std::string first_line(const std::string& path);

// Reason and remedy in one line if this kernel does not count; empty: it does.
std::string not_counted();

// The same, for the file of a process that has run.
std::string not_counted(const std::string& schedstat);

// Adds up waits until they are long enough to report. The unreported rest is always below the bound.
class WaitAccount {
 public:
  struct Told {
    std::int64_t from_ns = 0;  // earliest possible start of the wait
    std::int64_t to_ns = 0;
    std::int64_t waited_ns = 0;
  };
  static constexpr std::int64_t kBound_ns = 100'000'000;

  // Adds a wait of `waited_ns` that ended between two looks at `from_ns` and `to_ns`.
  std::optional<Told> add(std::int64_t from_ns, std::int64_t to_ns, std::int64_t waited_ns);

 private:
  Told open_;
};

// Returns true for a stall: waits for at least a tenth of the time, rather than many small waits over a long time.
bool is_stall(const WaitAccount::Told& told);

}  // namespace holdfast
