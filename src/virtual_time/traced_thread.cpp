#include "virtual_time/traced_thread.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <iterator>

#include "virtual_time/thread_registers.hpp"

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
  if (!read_registers(tid_, out)) return std::nullopt;
  return out;
}

bool TracedThread::set_registers(const user_regs_struct& registers) const {
  return write_registers(tid_, registers);
}

std::optional<long> TracedThread::call(std::uint64_t instruction, long number, const std::uint64_t (&arguments)[6]) {
  const auto before = registers();
  if (!before) return std::nullopt;
  user_regs_struct there = *before;
  instruction_in(there) = instruction;
  call_in(there) = ~0ULL;  // not in a system call: nothing is to be restarted
  number_in(there) = static_cast<std::uint64_t>(number);
  for (std::size_t at = 0; at < std::size(arguments); ++at) argument_in(there, at) = arguments[at];
  if (!set_registers(there)) return std::nullopt;
  auto after = before;
  do {  // it may first stop for an earlier event: a signal, which is kept for later, or our own request
    if (!go_on(PTRACE_SINGLESTEP) || !next_stop()) return std::nullopt;
    after = registers();
    if (!after) return std::nullopt;
  } while (instruction_in(*after) == instruction);
  if (!set_registers(*before)) return std::nullopt;
  return static_cast<long>(result_in(*after));
}

}  // namespace holdfast
