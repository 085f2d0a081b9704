#include "virtual_time/held_timers.hpp"

#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <optional>

#include "artifact/units.hpp"
#include "virtual_time/older_calls.hpp"
#include "virtual_time/process_files.hpp"
#include "virtual_time/program_memory.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kAlarm = -1;               // the key of setitimer's
constexpr std::int64_t kFirstCreated = 1 << 24;   // above the kernel's own numbers
constexpr std::int64_t kDescriptors = 1LL << 40;  // numbers above those of timer_create

std::int64_t ns_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * kSecond_ns + time.tv_nsec;
}

std::int64_t ns_of(const timeval& time) {
  return std::int64_t{time.tv_sec} * kSecond_ns + std::int64_t{time.tv_usec} * 1000;
}

timespec spec_of(std::int64_t ns) {
  return {ns / kSecond_ns, ns % kSecond_ns};
}

// Rounded up, as in the kernel: an armed timer is not shown as 0.
timeval value_of(std::int64_t ns) {
  const std::int64_t us = (ns + 999) / 1000;
  return {us / kSecond_us, us % kSecond_us};
}

bool counts_processor_time(std::uint64_t clock) {
  const auto id = static_cast<int>(clock);
  return id < 0 || id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID;
}

// The timerfd's clock id from /proc: one of these is the wall clock.
bool descriptor_is_wall(pid_t process, std::uint64_t number) {
  const std::string info = read_proc("/proc/" + std::to_string(process) + "/fdinfo/" + std::to_string(number));
  const std::string_view clock = field_after(info, "clockid:");
  return clock == "0" || clock == "8";
}

// The kernel's form of a timer's signal; other processes may also send SI_TIMER
void send_signal(pid_t process, const sigevent& event, std::int64_t overruns) {
  siginfo_t info{};
  info.si_signo = event.sigev_signo;
  info.si_code = SI_TIMER;
  info.si_overrun = static_cast<int>(std::min<std::int64_t>(overruns, INT_MAX));
  info.si_value = event.sigev_value;
  if (event.sigev_notify == SIGEV_THREAD_ID) {
    ::syscall(SYS_rt_tgsigqueueinfo, process, event._sigev_un._tid, event.sigev_signo, &info);
  } else {
    ::syscall(SYS_rt_sigqueueinfo, process, event.sigev_signo, &info);
  }
}

}  // namespace

HeldTimers::~HeldTimers() {
  for (const auto& [key, timer] : timers_) {
    if (timer.descriptor >= 0) ::close(timer.descriptor);
  }
}

bool HeldTimers::handles(const HeldCall& call) {
  switch (call.number) {
    case older_calls::kAlarm:
    case SYS_setitimer:
    case SYS_getitimer:
    case SYS_timer_create:
    case SYS_timer_settime:
    case SYS_timer_gettime:
    case SYS_timer_getoverrun:
    case SYS_timer_delete:
    case SYS_timerfd_settime:
    case SYS_timerfd_gettime:
      return true;
    default:
      return false;
  }
}

std::int64_t HeldTimers::left_ns(const Timer& timer) const {
  return timer.due_ns >= kNever_ns ? 0 : std::max<std::int64_t>(timer.due_ns - clock_.now_ns(), 1);
}

void HeldTimers::handle(const HeldCall& call) {
  const pid_t process = process_of(call.tid);
  const auto& argument = call.arguments;
  if (call.number == older_calls::kAlarm) return set_alarm(call, process);
  if (call.number == SYS_setitimer) return set_interval_timer(call, process);
  if (call.number == SYS_timer_create) return create(call, process);
  if (call.number == SYS_timerfd_settime) return set_descriptor(call, process);
  if (call.number == SYS_timerfd_gettime) return get_descriptor(call, process);
  if (call.number == SYS_getitimer) {
    if (argument[0] != ITIMER_REAL) return void(calls_.go_on(call));
    const Timer& timer = timers_[{process, kAlarm}];
    const itimerval value{value_of(timer.interval_ns), value_of(left_ns(timer))};
    return void(put_value(process, argument[1], value) ? calls_.answer(call, 0) : calls_.fail(call, EFAULT));
  }
  const auto found = timers_.find({process, static_cast<std::int64_t>(static_cast<int>(argument[0]))});
  if (found == timers_.end()) return void(calls_.go_on(call));  // a timer of the kernel, or an error of the caller
  Timer& timer = found->second;
  if (call.number == SYS_timer_settime) {
    return set(call, timer, (argument[1] & TIMER_ABSTIME) != 0, argument[2], argument[3]);
  }
  if (call.number == SYS_timer_gettime) {
    const itimerspec value{spec_of(timer.interval_ns), spec_of(left_ns(timer))};
    return void(put_value(process, argument[1], value) ? calls_.answer(call, 0) : calls_.fail(call, EFAULT));
  }
  if (call.number == SYS_timer_getoverrun) return void(calls_.answer(call, timer.overruns));
  drop(found->first);
  calls_.answer(call, 0);
}

void HeldTimers::set_alarm(const HeldCall& call, pid_t process) {
  Timer& timer = timers_[{process, kAlarm}];
  const std::int64_t left_s = (left_ns(timer) + kSecond_ns - 1) / kSecond_ns;
  const auto seconds = static_cast<std::int64_t>(static_cast<std::uint32_t>(call.arguments[0]));
  timer.due_ns = seconds == 0 ? kNever_ns : clock_.now_ns() + seconds * kSecond_ns;
  timer.interval_ns = 0;
  calls_.answer(call, left_s);
}

void HeldTimers::set_interval_timer(const HeldCall& call, pid_t process) {
  if (call.arguments[0] != ITIMER_REAL) return void(calls_.go_on(call));
  Timer& timer = timers_[{process, kAlarm}];
  const itimerval old{value_of(timer.interval_ns), value_of(left_ns(timer))};
  itimerval value{};
  if (call.arguments[1] != 0) {
    const auto given = value_in<itimerval>(process, call.arguments[1]);
    if (!given) return void(calls_.fail(call, EFAULT));
    value = *given;
  }
  const std::int64_t first_ns = ns_of(value.it_value);
  timer.due_ns = first_ns == 0 ? kNever_ns : clock_.now_ns() + first_ns;
  timer.interval_ns = ns_of(value.it_interval);
  put_value(process, call.arguments[2], old);
  calls_.answer(call, 0);
}

void HeldTimers::create(const HeldCall& call, pid_t process) {
  if (counts_processor_time(call.arguments[0])) return void(calls_.go_on(call));
  Timer timer;
  timer.wall = is_wall_clock(call.arguments[0]);
  timer.event.sigev_notify = SIGEV_SIGNAL;
  timer.event.sigev_signo = SIGALRM;
  const auto id = static_cast<int>(kFirstCreated + ++last_created_);
  timer.event.sigev_value.sival_int = id;
  if (call.arguments[1] != 0) {
    const auto given = value_in<sigevent>(process, call.arguments[1]);
    if (!given) return void(calls_.fail(call, EFAULT));
    timer.event = *given;
  }
  if (!put_value(process, call.arguments[2], id)) return void(calls_.fail(call, EFAULT));
  timers_[{process, id}] = timer;
  calls_.answer(call, 0);
}

void HeldTimers::set(const HeldCall& call, Timer& timer, bool absolute, std::uint64_t value, std::uint64_t old) {
  const pid_t process = process_of(call.tid);
  const auto given = value_in<itimerspec>(process, value);
  if (!given) return void(calls_.fail(call, EFAULT));
  const itimerspec before{spec_of(timer.interval_ns), spec_of(left_ns(timer))};
  const std::int64_t first_ns = ns_of(given->it_value);
  const std::int64_t begin_ns = absolute ? -(timer.wall ? clock_.wall_ahead_ns() : 0) : clock_.now_ns();
  timer.due_ns = first_ns == 0 ? kNever_ns : begin_ns + first_ns;
  timer.interval_ns = ns_of(given->it_interval);
  timer.overruns = 0;
  if (timer.descriptor >= 0) {  // its count is reset, as in the kernel
    const itimerspec off{};
    ::timerfd_settime(timer.descriptor, 0, &off, nullptr);
  }
  put_value(process, old, before);
  calls_.answer(call, 0);
}

void HeldTimers::set_descriptor(const HeldCall& call, pid_t process) {
  const std::uint64_t number = call.arguments[0];
  const Key key{process, kDescriptors + static_cast<std::int64_t>(number)};
  const auto known = timers_.find(key);
  if (known != timers_.end() && !is_same_file(process, number, known->second.descriptor)) drop(key);
  Timer& timer = timers_[key];
  if (timer.descriptor < 0) {
    timer.descriptor = descriptor_of(process, number);
    timer.wall = descriptor_is_wall(process, number);
    itimerspec value{};
    if (timer.descriptor < 0 || ::timerfd_gettime(timer.descriptor, &value) != 0) {
      drop(key);
      return void(calls_.go_on(call));  // which returns its error
    }
  }
  set(call, timer, (call.arguments[1] & TFD_TIMER_ABSTIME) != 0, call.arguments[2], call.arguments[3]);
}

void HeldTimers::get_descriptor(const HeldCall& call, pid_t process) {
  const auto known = timers_.find({process, kDescriptors + static_cast<std::int64_t>(call.arguments[0])});
  if (known == timers_.end()) return void(calls_.go_on(call));
  const itimerspec value{spec_of(known->second.interval_ns), spec_of(left_ns(known->second))};
  put_value(process, call.arguments[1], value) ? calls_.answer(call, 0) : calls_.fail(call, EFAULT);
}

std::int64_t HeldTimers::next_ns() const {
  std::int64_t out = kNever_ns;
  for (const auto& [key, timer] : timers_) out = std::min(out, timer.due_ns);
  return out;
}

bool HeldTimers::fire() {
  std::vector<Key> due;
  for (const auto& [key, timer] : timers_) {
    if (timer.due_ns <= clock_.now_ns()) due.push_back(key);
  }
  for (const Key& key : due) ring(key, timers_.at(key));
  return !due.empty();
}

void HeldTimers::ring(const Key& key, Timer& timer) {
  if (process_of(key.first) == 0) return drop(key);  // it ended before it was seen
  const std::int64_t late_ns = clock_.now_ns() - timer.due_ns;
  timer.overruns = timer.interval_ns > 0 ? late_ns / timer.interval_ns : 0;
  timer.due_ns = timer.interval_ns > 0 ? timer.due_ns + (timer.overruns + 1) * timer.interval_ns : kNever_ns;
  if (timer.descriptor >= 0) {
    const auto number = static_cast<std::uint64_t>(key.second - kDescriptors);
    if (!is_same_file(key.first, number, timer.descriptor)) return drop(key);  // it was closed
    const itimerspec now{{}, {0, 1}};
    ::timerfd_settime(timer.descriptor, 0, &now, nullptr);
  } else if (key.second == kAlarm) {
    ::kill(key.first, SIGALRM);
  } else if (timer.event.sigev_notify != SIGEV_NONE) {
    send_signal(key.first, timer.event, timer.overruns);
  }
}

void HeldTimers::drop(const Key& key) {
  const auto found = timers_.find(key);
  if (found == timers_.end()) return;
  if (found->second.descriptor >= 0) ::close(found->second.descriptor);
  timers_.erase(found);
}

void HeldTimers::forget(pid_t process) {
  for (auto at = timers_.begin(); at != timers_.end();) {
    const Key key = at->first;
    ++at;
    if (key.first == process) drop(key);
  }
}

void HeldTimers::executed(pid_t process) {
  for (auto at = timers_.lower_bound({process, kFirstCreated}); at != timers_.end() && at->first.first == process;) {
    const Key key = at->first;
    ++at;
    if (key.second < kDescriptors) drop(key);
  }
}

}  // namespace holdfast
