#include "virtual_time/traced_thread.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>

namespace holdfast {
TracedThread::TracedThread(pid_t tid, long options)
    : tid_(tid), seized_(::ptrace(PTRACE_SEIZE, tid, nullptr, options) == 0) {}

TracedThread::~TracedThread() {
  if (!seized_) return;
  if (!stopped_) interrupt();  // only a stopped thread can be released
  if (stopped_) ::ptrace(PTRACE_DETACH, tid_, nullptr, signal_);
}

bool TracedThread::ask_to_stop() {
  return ::ptrace(PTRACE_INTERRUPT, tid_, nullptr, nullptr) == 0;
}

std::optional<int> TracedThread::next_stop() {
  int status = 0;
  pid_t got = 0;
  do {
    got = ::waitpid(tid_, &status, __WALL);
  } while (got < 0 && errno == EINTR);
  return stopped_by(got, status);
}

// A thread takes its process's number when it executes a program, so both are checked.
std::optional<int> TracedThread::next_stop_or_exec(pid_t process) {
  while (tid_ != process) {
    int status = 0;
    const pid_t got = ::waitpid(tid_, &status, __WALL | WNOHANG);
    if (got == tid_) return stopped_by(got, status);
    if (got < 0 && errno != EINTR) tid_ = process;
    const pid_t leader = ::waitpid(process, &status, __WALL | WNOHANG);
    if (leader == process) {
      tid_ = process;
      return stopped_by(leader, status);
    }
    ::usleep(50);
  }
  return next_stop();
}

std::optional<int> TracedThread::stopped_by(pid_t got, int status) {
  stopped_ = got == tid_ && WIFSTOPPED(status);
  if (!stopped_) {
    seized_ = false;
    return std::nullopt;
  }
  const int signal = WSTOPSIG(status);
  if (event_of(status) == 0 && signal != SIGTRAP && signal != (SIGTRAP | 0x80)) signal_ = signal;
  return status;
}

bool TracedThread::interrupt() {
  if (!ask_to_stop()) return false;
  const auto status = next_stop();
  return status && event_of(*status) == PTRACE_EVENT_STOP;
}

bool TracedThread::go_on(int request) {
  stopped_ = ::ptrace(static_cast<__ptrace_request>(request), tid_, nullptr, nullptr) != 0;
  return !stopped_;
}

std::optional<user_regs_struct> TracedThread::registers() const {
  user_regs_struct out{};
  if (::ptrace(PTRACE_GETREGS, tid_, nullptr, &out) != 0) return std::nullopt;
  return out;
}

bool TracedThread::set_registers(const user_regs_struct& registers) const {
  return ::ptrace(PTRACE_SETREGS, tid_, nullptr, &registers) == 0;
}

std::optional<long> TracedThread::call(std::uint64_t instruction, long number, const std::uint64_t (&arguments)[6]) {
  const auto before = registers();
  if (!before) return std::nullopt;
  user_regs_struct there = *before;
  there.rip = instruction;
  there.rax = static_cast<std::uint64_t>(number);
  there.orig_rax = ~0ULL;  // not in a system call: nothing is to be restarted
  there.rdi = arguments[0];
  there.rsi = arguments[1];
  there.rdx = arguments[2];
  there.r10 = arguments[3];
  there.r8 = arguments[4];
  there.r9 = arguments[5];
  if (!set_registers(there)) return std::nullopt;
  auto after = before;
  do {  // it may first stop for an earlier event: a signal, which is kept for later, or our own request
    if (!go_on(PTRACE_SINGLESTEP) || !next_stop()) return std::nullopt;
    after = registers();
    if (!after) return std::nullopt;
  } while (after->rip == instruction);
  if (!set_registers(*before)) return std::nullopt;
  return static_cast<long>(after->rax);
}

}  // namespace holdfast
