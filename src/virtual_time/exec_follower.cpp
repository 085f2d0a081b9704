#include "virtual_time/exec_follower.hpp"

#include <sys/ptrace.h>

#include "artifact/error.hpp"
#include "virtual_time/clocked_program.hpp"
#include "virtual_time/process_files.hpp"
#include "virtual_time/traced_thread.hpp"

namespace holdfast {
namespace {

// Waits from a continued call to its end. Returns false if it failed, or the process has ended.
bool has_executed(TracedThread& thread, pid_t process) {
  for (;;) {
    const auto status = thread.next_stop_or_exec(process);
    if (!status || event_of(*status) == PTRACE_EVENT_STOP) return false;  // stopped by a request outside the call
    if (event_of(*status) == PTRACE_EVENT_EXEC) return thread.go_on(PTRACE_SYSCALL) && thread.next_stop();
    if (!thread.go_on(PTRACE_CONT)) return false;
  }
}

}  // namespace

// Its descriptor of the page: one left by a failed execve, else a new one.
int ExecFollower::page_in(const HeldCall& call, pid_t process) {
  const auto kept = given_.find(process);
  if (kept != given_.end()) {
    const int descriptor = kept->second;
    given_.erase(kept);
    if (is_same_file(process, static_cast<std::uint64_t>(descriptor), clock_.descriptor())) return descriptor;
  }
  return calls_.give(call, clock_.descriptor());
}

std::optional<pid_t> ExecFollower::follow(const HeldCall& call) {
  const pid_t process = process_of(call.tid);
  const int descriptor = page_in(call, process);
  TracedThread thread(call.tid, PTRACE_O_TRACEEXEC | PTRACE_O_TRACESYSGOOD);
  if (descriptor < 0 || !thread.seized()) {
    lacks_clock(process, descriptor < 0 ? "it has no room for a descriptor" : "it is traced by another program");
    calls_.go_on(call);
    return process;
  }
  thread.ask_to_stop();
  if (!calls_.go_on(call)) return std::nullopt;
  if (!has_executed(thread, process)) {
    given_[process] = descriptor;
    return std::nullopt;
  }
  try {
    const std::string why = give_clock(thread, descriptor);
    if (!why.empty()) lacks_clock(process, why);
  } catch (const Unavailable& unavailable) {
    lacks_clock(process, unavailable.what());
  }
  return process;
}

void ExecFollower::lacks_clock(pid_t process, const std::string& why) {
  without_clock_.push_back(name_of_process(process) + " (process " + std::to_string(process) + "): " + why);
}

}  // namespace holdfast
