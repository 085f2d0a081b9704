// All threads of the programs in a lab in virtual time: every descendant of this process, which adopts orphans
// (PR_SET_CHILD_SUBREAPER). Threads and processes may start and end at any time.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <vector>

#include "virtual_time/watched_process.hpp"
#include "virtual_time/watched_thread.hpp"

namespace holdfast {

class ThreadTable {
 public:
  ThreadTable();
  void refresh();  // reads it again
  const std::vector<WatchedThread*>& threads() const { return order_; }
  std::vector<WatchedProcess>& processes() { return processes_; }

 private:
  using Threads = std::map<pid_t, std::unique_ptr<WatchedThread>>;
  void read_process(WatchedProcess& process, Threads& now, std::vector<pid_t>& numbers);

  const pid_t root_;
  Threads by_tid_;
  std::vector<WatchedThread*> order_;
  std::vector<WatchedProcess> processes_;
};

}  // namespace holdfast
