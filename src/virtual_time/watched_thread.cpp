#include "virtual_time/watched_thread.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>

#include "artifact/monotonic.hpp"
#include "virtual_time/process_files.hpp"
#include "virtual_time/thread_registers.hpp"
#include "virtual_time/traced_thread.hpp"

namespace holdfast {
namespace {

std::string folder_of(pid_t process, pid_t tid) {
  return "/proc/" + std::to_string(process) + "/task/" + std::to_string(tid) + "/";
}

// -1: the thread has ended.
int opened(const std::string& path) {
  const int out = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (out < 0) refuse_full_table(errno);
  return out;
}

bool is_running(const std::string& call) {
  return call[0] == 'r';  // "running"
}

// Number of times it got a processor: the third number of schedstat.
std::uint64_t switches_in(const std::string& schedule) {
  std::size_t at = schedule.find(' ');
  if (at != std::string::npos) at = schedule.find(' ', at + 1);
  return at == std::string::npos ? 0 : std::strtoull(schedule.c_str() + at + 1, nullptr, 10);
}

// R S D T t Z X; X also if it has ended.
char state_in(const std::string& stat) {
  const std::size_t at = stat.rfind(')');
  return at == std::string::npos || at + 2 >= stat.size() ? 'X' : stat[at + 2];
}

// The kernel's codes for an interrupted call to be restarted, from ERESTARTSYS on.
bool is_interrupted(long value) {
  constexpr long kFirstRestart = 512;
  constexpr long kLastRestart = 516;
  return value == -EINTR || (value <= -kFirstRestart && value >= -kLastRestart);
}

}  // namespace

WatchedThread::WatchedThread(pid_t process, pid_t tid)
    : process_(process),
      tid_(tid),
      call_file_(opened(folder_of(process, tid) + "syscall")),
      schedule_file_(opened(folder_of(process, tid) + "schedstat")),
      state_file_(opened(folder_of(process, tid) + "stat")) {}

WatchedThread::~WatchedThread() {
  ::close(call_file_);
  ::close(schedule_file_);
  ::close(state_file_);
}

void WatchedThread::read_call(const std::string& text) {
  char* at = nullptr;
  last_call_ = call_;
  call_ = {};
  call_.number = std::strtol(text.c_str(), &at, 10);
  if (call_.number < 0) return;  // blocked outside a call: by a page fault, or stopped while running
  for (auto& argument : call_.arguments) argument = std::strtoull(at, &at, 16);
  call_.stack = std::strtoull(at, &at, 16);
}

WatchedThread::Look WatchedThread::look(PassingTime& time) {
  unknown_ = -1;
  std::string call = read_at_once(call_file_);
  if (call.empty()) return Look::gone;
  const std::string schedule = read_at_once(schedule_file_);
  if (schedule.empty()) return Look::gone;
  const std::uint64_t switches = switches_in(schedule);
  if (waits_ && switches == switches_ && !is_running(call)) return Look::waits_still;
  note_used(schedule, time);
  leave_wait(time.clock());
  call = read_at_once(call_file_);
  if (call.empty()) return Look::gone;
  if (is_running(call)) return Look::runs;
  read_call(call);
  return begin_wait(time.clock(), switches);
}

bool WatchedThread::has_not_run() const {
  return waits_ && switches_in(read_at_once(schedule_file_)) == switches_;
}

bool WatchedThread::is_asleep() const {
  const char state = state_in(read_at_once(state_file_));
  return state != 'R' && state != 'D';
}

// A wait that the kernel ended before its end on the lab's clock: the program has seen a late clock. Unknown for a wait
// that another event may have ended.
void WatchedThread::leave_wait(const LabClock& clock) {
  const bool by_time = end_.is_sleep || end_.is_prompt;
  if (waits_ && !stopped_ && by_time && end_.kernel_ns <= monotonic_ns()) {
    early_ns_ = std::max(early_ns_, end_.virtual_ns - clock.now_ns());
  }
  waits_ = false;
}

WatchedThread::Look WatchedThread::begin_wait(const LabClock& clock, std::uint64_t switches) {
  const char state = state_in(read_at_once(state_file_));
  const bool has_ended = state == 'X' || state == 'Z';
  stopped_ = state == 'T' || state == 't';
  if (has_ended || (stopped_ && call_.number < 0)) {
    end_ = {};
  } else if (!stopped_ && state != 'S') {
    return Look::runs;
  } else if (!read_end(clock)) {
    return Look::runs;
  }
  switches_ = switches;
  waits_ = true;
  return Look::waits_anew;
}

// Returns false for a call that is not known to wait. A stopped thread waits in any call.
bool WatchedThread::read_end(const LabClock& clock) {
  const auto end = wait_end(process_, call_, clock, monotonic_ns());
  const bool is_known = end && (!end->goes_on || last_call_.number >= 0);  // a continued wait was seen before
  if (!is_known) {
    if (!stopped_) unknown_ = call_.number;
    end_ = {};
    return stopped_;
  }
  const bool is_open = call_ == last_call_ && end_.virtual_ns > clock.now_ns();
  if (end->goes_on && (is_open || call_.number == SYS_restart_syscall)) {
    end_.is_prompt = false;
    return true;
  }
  // A stopped thread is seen again in its earlier wait, whose end has not come.
  if (!stopped_ || !is_open) end_ = *end;
  return true;
}

// Empty: it has left the wait in which it was last seen.
std::optional<user_regs_struct> WatchedThread::interrupt_wait(TracedThread& thread) {
  waits_ = false;
  if (!thread.seized()) return std::nullopt;
  const bool same_wait = switches_in(read_at_once(schedule_file_)) == switches_;
  if (!thread.interrupt() || !same_wait) return std::nullopt;
  auto registers = thread.registers();
  const bool is_in_it = registers && static_cast<long>(call_in(*registers)) == call_.number &&
                        stack_in(*registers) == call_.stack && is_interrupted(static_cast<long>(result_in(*registers)));
  return is_in_it ? registers : std::nullopt;
}

std::unique_ptr<TracedThread> WatchedThread::wake() {
  auto thread = std::make_unique<TracedThread>(tid_);
  auto registers = interrupt_wait(*thread);
  if (!registers) return nullptr;
  empty_selected(process_, call_);
  result_in(*registers) = static_cast<std::uint64_t>(end_.result);
  call_in(*registers) = ~0ULL;  // nothing is to be restarted
  return thread->set_registers(*registers) ? std::move(thread) : nullptr;
}

void WatchedThread::begin_again() {
  constexpr std::uint64_t kInstructionBytes = 2;  // of `syscall`
  TracedThread thread(tid_);
  auto registers = interrupt_wait(thread);
  if (!registers || !lengthen_time_out(process_, call_)) return;
  result_in(*registers) = call_in(*registers);
  call_in(*registers) = ~0ULL;
  instruction_in(*registers) -= kInstructionBytes;
  thread.set_registers(*registers);
}

// The first number of schedstat. Time before a thread was first seen is also its creator's.
void WatchedThread::note_used(const std::string& schedule, PassingTime& time) {
  const std::int64_t now_ns = std::strtoll(schedule.c_str(), nullptr, 10);
  if (processor_ns_ >= 0) time.pass(now_ns - processor_ns_, monotonic_ns());
  processor_ns_ = now_ns;
}

}  // namespace holdfast
