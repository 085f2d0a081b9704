// A process group that stands still, all threads of all its processes, for as long as the object lives.
//
//   StoppedGroup still(group);
//   for (const pid_t pid : still.processes()) ... threads_at(pid) ...
//
// Who was stopped before stays so afterwards. Meanwhile nobody else may send SIGCONT or SIGSTOP: of a pause that begins
// or ends in between, one of the two would be lost. As after every stop, calls that Linux does not start again
// (epoll_wait and others: signal(7)) end with EINTR. If this program is killed meanwhile the group stays stopped: in a
// lab it ends with it.
//
// A parent in vfork does not stop before its child has executed a program, and the child stands: it waits in the kernel
// and cannot come back meanwhile. So do others in a wait that no signal ends. They count as standing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/process.hpp"

namespace holdfast {

class StoppedGroup {
 public:
  explicit StoppedGroup(pid_t group);  // throws HarnessError, and Unavailable where signals are not permitted
  ~StoppedGroup();                     // those that it stopped go on
  StoppedGroup(const StoppedGroup&) = delete;
  StoppedGroup& operator=(const StoppedGroup&) = delete;

  const std::vector<pid_t>& processes() const { return processes_; }

 private:
  bool stop_new();

  pid_t group_;
  std::vector<pid_t> processes_;
  std::vector<Process> stopped_;  // by this
};

// Throws HarnessError where it is this program's own group, or none at all.
void require_other_group(pid_t group);

// Those that live; who has ended and was not waited for is none. A child with a group or session of its own is in none
// but that. Throws HarnessError where /proc cannot be read.
std::vector<pid_t> processes_of_group(pid_t group);

// The address at which each thread will go on; nothing: one of them runs. Throws Unavailable without permission.
std::optional<std::vector<std::uint64_t>> threads_at(pid_t pid);

// What the kernel shows of a process, or of a group of them, in /proc. Throws HarnessError: /proc cannot be read.

char state_of_process(pid_t pid);  // as in /proc/PID/stat: R S D T Z; 'X' when it is gone

// The processor time that it has used, if all its threads are stopped.
std::optional<std::int64_t> process_stopped_at_ns(pid_t pid);

// The same of all processes of a group together; nothing: one of them runs, or there is none.
std::optional<std::int64_t> group_stopped_at_ns(pid_t group);

}  // namespace holdfast
