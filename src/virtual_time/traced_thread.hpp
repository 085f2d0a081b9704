// A thread of another process under ptrace, while its registers are read or changed. The destructor releases it, with
// the signal that it had stopped for, if any.
//
//   TracedThread thread(tid);
//   if (thread.seized() && thread.interrupt()) { ... thread.registers() ... }
//
// The calling thread is the tracer: each object is used by one thread. Nothing throws: a thread may end at any time.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>

namespace holdfast {

// The PTRACE_EVENT_... in a waitpid status; 0: none, for example a signal, or the entry or exit of a system call.
inline int event_of(int status) {
  return status >> 16;
}

class TracedThread {
 public:
  explicit TracedThread(pid_t tid, long options = 0);
  ~TracedThread();
  TracedThread(const TracedThread&) = delete;
  TracedThread& operator=(const TracedThread&) = delete;

  bool seized() const { return seized_; }
  // Stops it at any place. Returns false if it has ended, or stopped for a signal first.
  bool interrupt();
  bool ask_to_stop();              // first half of interrupt: requests the stop
  std::optional<int> next_stop();  // waits for it; returns the waitpid status, or nothing if it has ended
  std::optional<int> next_stop_or_exec(pid_t process);  // the same for a thread of that process, which may call execve
  bool go_on(int request);  // PTRACE_CONT, PTRACE_SYSCALL, PTRACE_SINGLESTEP; a signal that it stopped for is kept
  pid_t tid() const { return tid_; }

  std::optional<user_regs_struct> registers() const;
  bool set_registers(const user_regs_struct& registers) const;
  // Runs one system call in the thread, with the instruction at that address. Restores its registers afterwards.
  std::optional<long> call(std::uint64_t instruction, long number, const std::uint64_t (&arguments)[6]);

 private:
  std::optional<int> stopped_by(pid_t got, int status);

  pid_t tid_;
  bool seized_;
  bool stopped_ = false;
  int signal_ = 0;  // delivered on release
};

}  // namespace holdfast
