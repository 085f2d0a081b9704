// Follows programs of a lab in virtual time through execve, which takes their clock away: the call is held, the thread
// traced until the end of the call, and the new program given the clock. Between two such calls nothing is traced.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "virtual_time/held_calls.hpp"
#include "virtual_time/lab_clock.hpp"

namespace holdfast {

class ExecFollower {
 public:
  ExecFollower(const HeldCalls& calls, const LabClock& clock) : calls_(calls), clock_(clock) {}
  // An execve or execveat that is held. Waits until it has succeeded or failed, some milliseconds. The process that
  // executes another program now; nothing: the call failed.
  std::optional<pid_t> follow(const HeldCall& call);
  // Programs that run without the clock, and why: nothing that they do can be believed.
  const std::vector<std::string>& without_clock() const { return without_clock_; }

 private:
  int page_in(const HeldCall& call, pid_t process);
  void lacks_clock(pid_t process, const std::string& why);

  const HeldCalls& calls_;
  const LabClock& clock_;
  std::map<pid_t, int> given_;  // by process: where the page was left after an execve that failed
  std::vector<std::string> without_clock_;
};

}  // namespace holdfast
