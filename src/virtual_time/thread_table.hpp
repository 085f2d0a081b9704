// All threads of the programs in a lab in virtual time: every descendant of this process, which adopts orphans
// (PR_SET_CHILD_SUBREAPER). Threads and processes may start and end at any time.
//
// The kernel numbers a new thread before it shows the thread in /proc. A number that shows none is therefore kept, and
// read again (read_late) until it does, or until all known threads wait: then none of them is creating one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "virtual_time/watched_process.hpp"
#include "virtual_time/watched_thread.hpp"

namespace holdfast {

class ThreadTable {
 public:
  ThreadTable();

  // Each of these returns true if the set of threads has changed.

  // Removes the threads noted as ended, and adds those with a number up to the last one that the kernel assigned in
  // this namespace.
  bool follow(pid_t last);
  bool read_late();
  // To be called while all known threads wait: then gives up the numbers that show no thread. Returns true, too, if
  // there were any: such a thread may have woken others before it ended.
  bool settle();
  void note_ended(const WatchedThread& thread) { ended_.push_back(thread.tid()); }

  const std::vector<WatchedThread*>& threads() const { return order_; }
  std::vector<WatchedProcess>& processes() { return processes_; }
  std::vector<pid_t> take_ended_processes();  // since the last call

 private:
  using Threads = std::map<pid_t, std::unique_ptr<WatchedThread>>;
  enum class Found : std::uint8_t { added, is_not_ours, nothing };

  bool read_all();
  int read_process(WatchedProcess& process, Threads& now, std::vector<pid_t>& numbers);
  bool remove_ended();
  bool read_numbers(std::vector<pid_t> numbers);
  Found read_number(pid_t number);
  WatchedProcess* process_with(pid_t number);
  void set_order();

  const pid_t root_;
  Threads by_tid_;
  std::vector<WatchedThread*> order_;
  std::vector<WatchedProcess> processes_;
  std::vector<pid_t> ended_;
  std::set<pid_t> numbers_;  // of the processes at the last take_ended_processes()
  pid_t last_ = 0;
  std::vector<pid_t> late_;  // numbers that showed no thread of a known process
  bool all_late_ = false;    // too many numbers are late, so all threads are read again instead
};

}  // namespace holdfast
