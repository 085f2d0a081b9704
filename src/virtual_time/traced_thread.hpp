// A thread of another process under ptrace, for the moments in which its registers have to be read or changed. It is
// let go by the destructor, with the signal that it had stopped for, if any.
//
//   TracedThread thread(tid);
//   if (thread.seized() && thread.interrupt()) { ... thread.registers() ... }
//
// The caller's thread is the tracer: one object is used by one thread. Nothing throws: a thread may end at any moment.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <optional>

namespace holdfast {

// The event of PTRACE_EVENT_... in a status of waitpid; 0: none, as of a signal or at the edge of a system call.
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
  // Stops it wherever it is. False: it has ended, or stopped for a signal first.
  bool interrupt();
  bool ask_to_stop();                                   // the first half of interrupt: it will stop
  std::optional<int> next_stop();                       // waits for it; the status of waitpid. Nothing: it has ended
  std::optional<int> next_stop_or_exec(pid_t process);  // the same, of a thread of that process which may execute
  bool go_on(int request);  // PTRACE_CONT, PTRACE_SYSCALL, PTRACE_SINGLESTEP; a signal that it stopped for waits
  pid_t tid() const { return tid_; }

  std::optional<user_regs_struct> registers() const;
  bool set_registers(const user_regs_struct& registers) const;
  // Runs one system call in its place, by the instruction at that address. Its registers are as before afterwards.
  std::optional<long> call(std::uint64_t instruction, long number, const std::uint64_t (&arguments)[6]);

 private:
  std::optional<int> stopped_by(pid_t got, int status);

  pid_t tid_;
  bool seized_;
  bool stopped_ = false;
  int signal_ = 0;  // to be delivered when it is let go
};

}  // namespace holdfast
