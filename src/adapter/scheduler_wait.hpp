// Time that a process waited for a processor: the kernel's own counter (schedstat) for each thread. A process that
// sleeps or is stopped by a signal does not wait in this sense; one that is starved or throttled does.
//
//   SchedulerWait wait(pid);
//   ... a while later ...
//   wait.look_ns();  // longest wait of one of its threads since the last call
//
// Not visible: a wait still in progress (the kernel counts it at its end), waits for a disk, and time that a hypervisor
// took from a processor.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace holdfast {

class SchedulerWait {
 public:
  explicit SchedulerWait(pid_t pid);
  std::int64_t look_ns();

 private:
  std::string tasks_;
  std::map<std::string, std::int64_t> before_ns_;  // by thread
};

// Reads a kernel file; empty: unreadable.
std::string first_line(const std::string& path);

// Second number of a schedstat line; empty: malformed.
std::optional<std::int64_t> waited_ns(const std::string& schedstat);

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
