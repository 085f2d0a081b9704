#include "virtual_time/watched_thread.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <string_view>

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

// Returns true for a thread with a signal that waits to be handled.
bool has_signal(const std::string& status) {
  constexpr std::string_view kNone = ":\t0000000000000000\n";
  return status.find("\nSigPnd" + std::string(kNone)) == std::string::npos ||
         status.find("\nShdPnd" + std::string(kNone)) == std::string::npos;
}

// Number of times it gave up its processor to wait; -1: not known.
std::int64_t waits_in(const std::string& status) {
  constexpr std::string_view kName = "\nvoluntary_ctxt_switches:";
  const std::size_t at = status.find(kName);
  return at == std::string::npos ? -1 : std::strtoll(status.c_str() + at + kName.size(), nullptr, 10);
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

constexpr std::uint64_t kNoCall = ~0ULL;

BlockedCall call_of(user_regs_struct& registers) {
  BlockedCall out;
  out.number = static_cast<long>(call_in(registers));
  for (std::size_t at = 0; at < std::size(out.arguments); ++at) out.arguments[at] = argument_in(registers, at);
  out.stack = stack_in(registers);
  return out;
}

// Lets an interrupted thread make its call once more.
void repeat_call(user_regs_struct& registers) {
  constexpr std::uint64_t kInstructionBytes = 2;  // of `syscall`
  result_in(registers) = call_in(registers);
  call_in(registers) = kNoCall;
  instruction_in(registers) -= kInstructionBytes;
}

// A relative sleep that takes its time from the place to which an interruption writes the rest.
bool is_overwritten(const BlockedCall& call) {
  const auto& argument = call.arguments;
  if (call.number == SYS_nanosleep) return argument[0] == argument[1];
  return call.number == SYS_clock_nanosleep && (argument[1] & TIMER_ABSTIME) == 0 && argument[2] == argument[3];
}

// The kernel continues an interrupted call by another number, with the same arguments.
bool is_same_wait(BlockedCall call, const BlockedCall& earlier) {
  call.number = earlier.number;
  return call == earlier;
}

}  // namespace

WatchedThread::WatchedThread(pid_t process, pid_t tid)
    : process_(process),
      tid_(tid),
      call_file_(opened(folder_of(process, tid) + "syscall")),
      schedule_file_(opened(folder_of(process, tid) + "schedstat")),
      state_file_(opened(folder_of(process, tid) + "stat")),
      status_file_(opened(folder_of(process, tid) + "status")) {}

WatchedThread::~WatchedThread() {
  ::close(call_file_);
  ::close(schedule_file_);
  ::close(state_file_);
  ::close(status_file_);
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
  const bool is_restarted = call_.number == SYS_restart_syscall;
  const bool was_seen =
      is_restarted ? last_call_.number >= 0 && is_same_wait(call_, last_call_) : last_call_.number >= 0;
  const bool is_known = end && (!end->goes_on || was_seen);  // a continued wait was seen before
  if (!is_known) {
    if (!stopped_) unknown_ = call_.number;
    if (is_restarted) call_ = {};  // of an unknown wait, also at the next look
    end_ = {};
    return stopped_;
  }
  const bool is_open = call_ == last_call_ && end_.virtual_ns > clock.now_ns();
  if (end->goes_on && (is_open || is_restarted)) {
    end_.is_prompt = false;
    return true;
  }
  // A stopped thread is seen again in its earlier wait, whose end has not come.
  if (!stopped_ || !is_open) end_ = *end;
  return true;
}

// Null: it has left the wait in which it was last seen. A thread that has run since is not interrupted.
std::unique_ptr<TracedThread> WatchedThread::interrupt_wait(const LabClock& clock, user_regs_struct& registers) {
  const std::int64_t waits = waits_in(read_at_once(status_file_));
  const bool same_wait = has_not_run();
  waits_ = false;
  if (!same_wait) return nullptr;
  auto thread = std::make_unique<TracedThread>(tid_);
  if (!thread->seized() || !thread->interrupt()) return nullptr;
  auto seen = thread->registers();
  if (!seen || !is_interrupted(static_cast<long>(result_in(*seen)))) return nullptr;
  registers = *seen;
  // Its stop is the thread's next wait, unless the kernel does not count them. A thread that was woken, and was about
  // to wait in the same way again, cannot be told apart.
  const bool is_next = waits < 0 || waits_in(read_at_once(status_file_)) == waits + 1;
  if (is_next && call_of(registers) == call_) return thread;
  resume(*thread, registers, clock);
  return nullptr;
}

// It went on to another wait before the interruption, of which the program must not learn. The kernel continues some
// waits under another number, so the end of this one is read now.
void WatchedThread::resume(TracedThread& thread, user_regs_struct registers, const LabClock& clock) {
  last_call_ = call_;
  call_ = call_of(registers);
  const bool is_known = call_.number >= 0 && read_end(clock);
  if (!is_known) call_ = {};
  // The kernel has written what is left over the sleep's own time, up to the end of the slack.
  if (is_overwritten(call_) && end_.virtual_ns - clock.now_ns() > kTimerSlack_ns / 2) {
    end_.virtual_ns -= kTimerSlack_ns;
    end_.kernel_ns -= kTimerSlack_ns;
  }
  const bool is_ours = static_cast<long>(result_in(registers)) == -EINTR && !has_signal(read_at_once(status_file_));
  if (!is_known || !is_ours) return;
  repeat_call(registers);
  thread.set_registers(registers);
}

std::unique_ptr<TracedThread> WatchedThread::wake(const LabClock& clock) {
  user_regs_struct registers{};
  auto thread = interrupt_wait(clock, registers);
  if (!thread) return nullptr;
  empty_selected(process_, call_);
  result_in(registers) = static_cast<std::uint64_t>(end_.result);
  call_in(registers) = kNoCall;  // nothing is to be restarted
  return thread->set_registers(registers) ? std::move(thread) : nullptr;
}

void WatchedThread::begin_again(const LabClock& clock) {
  user_regs_struct registers{};
  const auto thread = interrupt_wait(clock, registers);
  if (!thread || !lengthen_time_out(process_, call_)) return;
  repeat_call(registers);
  thread->set_registers(registers);
}

// The first number of schedstat. Time before a thread was first seen is also its creator's.
void WatchedThread::note_used(const std::string& schedule, PassingTime& time) {
  const std::int64_t now_ns = std::strtoll(schedule.c_str(), nullptr, 10);
  if (processor_ns_ >= 0) time.pass(now_ns - processor_ns_, monotonic_ns());
  processor_ns_ = now_ns;
}

}  // namespace holdfast
