// How long a process waited for a processor: the kernel's own count (schedstat), of each of its threads. A process that
// sleeps, or is stopped by a signal, does not wait in this sense; one that is starved or throttled does.
//
//   SchedulerWait wait(pid);
//   ... a while later ...
//   wait.look_ns();  // the longest that one thread of it waited since the last look
//
// What it cannot see: a wait that still goes on (the kernel counts it when it is over), a wait for a disk, and the time
// that a hypervisor took from a processor.
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

// Of a file of the kernel's; empty: it cannot be read.
std::string first_line(const std::string& path);

// The second number of a schedstat line; nothing when it is none.
std::optional<std::int64_t> waited_ns(const std::string& schedstat);

// Why this kernel does not count it, and the remedy, in one line; empty: it counts.
std::string not_counted();

// The same, of what a process that has run finds in its own file.
std::string not_counted(const std::string& schedstat);

// Adds up waits until they are worth telling. What stays untold is always less than the bound.
class WaitAccount {
 public:
  struct Told {
    std::int64_t from_ns = 0;  // the earliest that the wait can have begun
    std::int64_t to_ns = 0;
    std::int64_t waited_ns = 0;
  };
  static constexpr std::int64_t kBound_ns = 100'000'000;

  // Between two looks, at `from_ns` and `to_ns`, a wait of `waited_ns` ended.
  std::optional<Told> add(std::int64_t from_ns, std::int64_t to_ns, std::int64_t waited_ns);

 private:
  Told open_;
};

// A stall, rather than small waits that came together over a long time: a tenth of the time or more.
bool is_stall(const WaitAccount::Told& told);

}  // namespace holdfast
