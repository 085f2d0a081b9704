// Stops a process group, all threads of all its processes, for the object's lifetime.
//
//   StoppedGroup still(group);
//   for (const pid_t pid : still.processes()) ... threads_at(pid) ...
//
// Processes that were stopped before stay stopped. Meanwhile no other process may send SIGCONT or SIGSTOP: if a pause
// begins or ends in between, one of the two is lost. As after every stop, calls that Linux does not restart (epoll_wait
// and others: signal(7)) end with EINTR. If this program is killed meanwhile, the group stays stopped; in a lab it ends
// with it.
//
// A parent in vfork does not stop before its child has executed a program, and the child is stopped: the parent waits
// in the kernel and cannot return. The same holds for other uninterruptible waits. Such threads count as stopped.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/process.hpp"

namespace holdfast {

class StoppedGroup {
 public:
  explicit StoppedGroup(pid_t group);  // throws HarnessError, and Unavailable if signals are not permitted
  ~StoppedGroup();                     // continues those that it stopped
  StoppedGroup(const StoppedGroup&) = delete;
  StoppedGroup& operator=(const StoppedGroup&) = delete;

  const std::vector<pid_t>& processes() const { return processes_; }

 private:
  bool stop_new();

  pid_t group_;
  std::vector<pid_t> processes_;
  std::vector<Process> stopped_;  // by this object
};

// Throws HarnessError for this program's own group, or a non-existent one.
void require_other_group(pid_t group);

// Living processes; ended ones that were not waited for are not included. Children with a group or session of their own
// belong only to that. Throws HarnessError if /proc cannot be read.
std::vector<pid_t> processes_of_group(pid_t group);

// The address at which each thread will continue; empty: one of them runs. Throws Unavailable without permission.
std::optional<std::vector<std::uint64_t>> threads_at(pid_t pid);

// Data from /proc about a process or group. Throws HarnessError if /proc cannot be read.

char state_of_process(pid_t pid);  // as in /proc/PID/stat: R S D T Z; 'X' after its end

// Its processor time, if all its threads are stopped; else empty.
std::optional<std::int64_t> process_stopped_at_ns(pid_t pid);

// The same for all processes of a group together; empty: one of them runs, or there is none.
std::optional<std::int64_t> group_stopped_at_ns(pid_t group);

}  // namespace holdfast
