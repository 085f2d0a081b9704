// All threads of the programs in a lab in virtual time: every descendant of this process, which adopts orphans
// (PR_SET_CHILD_SUBREAPER). Threads and processes may start and end at any time.
//
// The kernel numbers a new thread before it shows it in /proc. A number that does not show a thread yet is therefore
// kept, and read again when all known threads wait (find_late): its creator then no longer works on it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "virtual_time/watched_process.hpp"
#include "virtual_time/watched_thread.hpp"

namespace holdfast {

class ThreadTable {
 public:
  ThreadTable();

  // Removes the threads noted as ended, and adds those with a number up to the last one that the kernel assigned in
  // this namespace. Returns true if there are others than before.
  bool follow(pid_t last);
  bool find_late();  // to be called while all known threads wait; true if there are others than before
  void note_ended(const WatchedThread& thread) { ended_.push_back(thread.tid()); }

  const std::vector<WatchedThread*>& threads() const { return order_; }
  std::vector<WatchedProcess>& processes() { return processes_; }

 private:
  using Threads = std::map<pid_t, std::unique_ptr<WatchedThread>>;
  enum class Found : std::uint8_t { added, is_not_ours, nothing };

  void read_all();
  void read_process(WatchedProcess& process, Threads& now, std::vector<pid_t>& numbers);
  bool remove_ended();
  bool read_numbers(std::vector<pid_t> numbers);
  Found read_number(pid_t number);
  WatchedProcess* process_with(pid_t number);
  std::vector<pid_t> numbers() const;
  void set_order();

  const pid_t root_;
  Threads by_tid_;
  std::vector<WatchedThread*> order_;
  std::vector<WatchedProcess> processes_;
  std::vector<pid_t> ended_;
  pid_t last_ = 0;
  std::vector<pid_t> late_;      // numbers that showed no thread of a known process
  bool reads_all_late_ = false;  // which numbers are late is not known
};

}  // namespace holdfast
