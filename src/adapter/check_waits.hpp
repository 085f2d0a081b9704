// Waits for a processor during an adapter's check, of all processes that an answer depends on: the adapters and their
// child programs, the servers, and this process. If a limit was exceeded by no more than these waits, nothing is proved
// about the adapter.
//
//   CheckWaits waits({server_pid});
//   waits.add(adapter.pid());
//   ...
//   if (took > limit) finding.excuse = waits.excuse(sent_ns, read_ns, limit_ms);
//
// Waits of all processes are added, since one may wait for another; a process counts with its longest-waiting thread
// (scheduler_wait.hpp). Sampled twenty times a second, which limits the precision of a span.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "adapter/program_wait.hpp"
#include "adapter/scheduler_wait.hpp"

namespace holdfast {

class CheckWaits {
 public:
  explicit CheckWaits(const std::vector<pid_t>& servers);
  ~CheckWaits();
  CheckWaits(const CheckWaits&) = delete;
  CheckWaits& operator=(const CheckWaits&) = delete;

  void add(pid_t adapter);

  // Maximum total of all waits between two times of CLOCK_MONOTONIC; a wait still in progress is not counted.
  std::int64_t between_ns(std::int64_t from_ns, std::int64_t to_ns);

  // Reason why a span longer than its limit may prove nothing; empty: it counts.
  std::string excuse(std::int64_t from_ns, std::int64_t to_ns, std::int64_t limit_ms);

 private:
  struct Watched {
    SchedulerWait wait;
    std::unique_ptr<ProgramWait> programs;  // of an adapter
  };
  struct Sample {
    std::int64_t at_ns = 0;
    std::int64_t waited_ns = 0;  // up to that time
  };
  void look();  // under the mutex

  std::string not_counted_;  // why this kernel does not count
  std::mutex mutex_;
  std::map<pid_t, Watched> watched_;
  std::vector<Sample> samples_;
  std::jthread looks_;  // last: it uses all the others
};

}  // namespace holdfast
