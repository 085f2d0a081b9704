// Waits for a processor while an adapter is checked, of every process that an answer depends on: the adapters with the
// programs that they start, the servers, and this one. A limit that was missed by no more than they waited proves
// nothing about the adapter.
//
//   CheckWaits waits({server_pid});
//   waits.add(adapter.pid());
//   ...
//   if (took > limit) finding.excuse = waits.excuse(sent_ns, read_ns, limit_ms);
//
// The waits of all processes are added up, since one may wait for the other; those of a process are its thread's that
// waited longest (scheduler_wait.hpp). They are looked at twenty times a second, so that a span is known to that.
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

  // At most, of all together, between two times of CLOCK_MONOTONIC; a wait that continues is not counted yet.
  std::int64_t between_ns(std::int64_t from_ns, std::int64_t to_ns);

  // Why a span that is longer than its limit may prove nothing; empty: it proves what it shows.
  std::string excuse(std::int64_t from_ns, std::int64_t to_ns, std::int64_t limit_ms);

 private:
  struct Watched {
    SchedulerWait wait;
    std::unique_ptr<ProgramWait> programs;  // of an adapter
  };
  struct Sample {
    std::int64_t at_ns = 0;
    std::int64_t waited_ns = 0;  // by then
  };
  void look();  // under the mutex

  std::string not_counted_;  // why this kernel does not count
  std::mutex mutex_;
  std::map<pid_t, Watched> watched_;
  std::vector<Sample> samples_;
  std::jthread looks_;  // last: it uses all the others
};

}  // namespace holdfast
