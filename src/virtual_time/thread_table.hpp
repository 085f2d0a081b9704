// All threads of the programs of a lab in virtual time: every descendant of this process, whose orphans come to it
// (PR_SET_CHILD_SUBREAPER). Threads and processes may come and go at any moment.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <vector>

#include "virtual_time/watched_thread.hpp"

namespace holdfast {

class ThreadTable {
 public:
  ThreadTable();
  void refresh();  // reads it again
  const std::vector<WatchedThread*>& threads() const { return order_; }
  const std::vector<pid_t>& processes() const { return processes_; }

 private:
  using Threads = std::map<pid_t, std::unique_ptr<WatchedThread>>;
  void read_process(pid_t process, Threads& now);

  const pid_t root_;
  Threads by_tid_;
  std::vector<WatchedThread*> order_;
  std::vector<pid_t> processes_;
};

}  // namespace holdfast
