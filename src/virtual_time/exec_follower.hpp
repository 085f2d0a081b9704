// Follows programs of a lab in virtual time through execve, which removes their clock: the call is held, the thread
// traced until the end of the call, and the new program given the clock. Nothing is traced between two such calls.
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
  // Handles a held execve or execveat. Waits some milliseconds until it has succeeded or failed. Returns the process
  // that executes another program now, or nothing if the call failed.
  // executes another program now; nothing: the call failed.
  std::optional<pid_t> follow(const HeldCall& call);
  // Programs running without the clock, with reasons: their results are not reliable.
  const std::vector<std::string>& without_clock() const { return without_clock_; }

 private:
  int page_in(const HeldCall& call, pid_t process);
  void lacks_clock(pid_t process, const std::string& why);

  const HeldCalls& calls_;
  const LabClock& clock_;
  std::map<pid_t, int> given_;  // by process: descriptor of the page left by a failed execve
  std::vector<std::string> without_clock_;
};

}  // namespace holdfast
