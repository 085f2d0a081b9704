#include "virtual_time/wait_end.hpp"

#include <linux/futex.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <ctime>

#include "artifact/units.hpp"
#include "virtual_time/older_calls.hpp"
#include "virtual_time/process_files.hpp"
#include "virtual_time/program_memory.hpp"

namespace holdfast {
namespace {

constexpr int kFutexWaitRequeue = 11;  // FUTEX_WAIT_REQUEUE_PI
constexpr int kFutexLockPi2 = 13;
constexpr long kFutexWait2 = 455;  // futex_wait, which this system's headers may not define

std::int64_t time_in(pid_t process, std::uint64_t address) {
  if (address == 0) return kNever_ns;
  const auto value = value_in<timespec>(process, address);
  if (!value || value->tv_sec > kNever_ns / kSecond_ns) return kNever_ns;
  return std::int64_t{value->tv_sec} * kSecond_ns + value->tv_nsec;
}

std::int64_t small_time_in(pid_t process, std::uint64_t address) {
  const auto value = address == 0 ? std::nullopt : value_in<timeval>(process, address);
  return value ? std::int64_t{value->tv_sec} * kSecond_ns + std::int64_t{value->tv_usec} * 1000 : kNever_ns;
}

std::int64_t milliseconds(std::uint64_t argument) {
  const auto value = static_cast<int>(argument);
  return value < 0 ? kNever_ns : value * kMillisecond_ns;
}

// A relative wait, or one until a time of one of the two clocks.
struct Limit {
  std::int64_t for_ns = kNever_ns;
  std::int64_t until_ns = kNever_ns;
  bool wall = false;
  long result = 0;
  bool is_prompt = false;
  bool goes_on = false;
};

// Slack does not apply to a socket's time-out, so that is lengthened (lengthen_time_out): by twice kLonger_s for the
// restarted call, which marks it, and by kLonger_s for later ones.
constexpr std::int64_t kLonger_s = 1'000'000'000;

class SocketTimeOut {
 public:
  SocketTimeOut(pid_t process, std::uint64_t descriptor, int option)
      : socket_(descriptor_of(process, descriptor)), option_(option) {
    socklen_t size = sizeof value_;
    if (socket_ < 0 || ::getsockopt(socket_, SOL_SOCKET, option_, &value_, &size) != 0) value_ = {};
  }
  ~SocketTimeOut() {
    if (socket_ >= 0) ::close(socket_);
  }
  SocketTimeOut(const SocketTimeOut&) = delete;
  SocketTimeOut& operator=(const SocketTimeOut&) = delete;

  bool is_set() const { return value_.tv_sec != 0 || value_.tv_usec != 0; }
  std::int64_t times_longer() const { return value_.tv_sec / kLonger_s; }
  std::int64_t own_ns() const { return value_.tv_sec % kLonger_s * kSecond_ns + std::int64_t{value_.tv_usec} * 1000; }
  bool set_longer(std::int64_t times) const {
    const timeval longer{value_.tv_sec % kLonger_s + times * kLonger_s, value_.tv_usec};
    return ::setsockopt(socket_, SOL_SOCKET, option_, &longer, sizeof longer) == 0;
  }

 private:
  const int socket_;
  const int option_;
  timeval value_{};
};

// From SO_RCVTIMEO or SO_SNDTIMEO of its descriptor; none if it is not a socket.
Limit socket_limit(pid_t process, std::uint64_t descriptor, int option) {
  Limit out{kNever_ns, kNever_ns, false, -EAGAIN};
  const SocketTimeOut time_out(process, descriptor, option);
  if (!time_out.is_set()) return out;
  out.goes_on = time_out.times_longer() == 2 && time_out.set_longer(1);
  out.is_prompt = time_out.times_longer() == 0;
  out.for_ns = time_out.own_ns();
  return out;
}

int time_out_option(long call) {
  switch (call) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_accept:
    case SYS_accept4:
      return SO_RCVTIMEO;
    case SYS_connect:
    case SYS_write:
    case SYS_writev:
    case SYS_sendto:
    case SYS_sendmsg:
      return SO_SNDTIMEO;
    default:
      return 0;
  }
}

Limit futex_limit(pid_t process, const BlockedCall& call) {
  const auto operation = static_cast<int>(call.arguments[1] & FUTEX_CMD_MASK);
  const std::int64_t time_ns = time_in(process, call.arguments[3]);
  const bool wall = (call.arguments[1] & FUTEX_CLOCK_REALTIME) != 0 || operation == FUTEX_LOCK_PI;
  if (operation == FUTEX_WAIT) return {time_ns, kNever_ns, false, -ETIMEDOUT};
  const bool waits_until = operation == FUTEX_WAIT_BITSET || operation == kFutexWaitRequeue ||
                           operation == FUTEX_LOCK_PI || operation == kFutexLockPi2;
  return {kNever_ns, waits_until ? time_ns : kNever_ns, wall, -ETIMEDOUT};
}

std::optional<Limit> limit_of(pid_t process, const BlockedCall& call) {
  const auto& argument = call.arguments;
  if (const int option = time_out_option(call.number)) return socket_limit(process, argument[0], option);
  switch (call.number) {
    case SYS_nanosleep:
      return Limit{time_in(process, argument[0])};
    case SYS_clock_nanosleep: {
      const std::int64_t time_ns = time_in(process, argument[2]);
      if ((argument[1] & TIMER_ABSTIME) == 0) return Limit{time_ns};
      return Limit{kNever_ns, time_ns, is_wall_clock(argument[0])};
    }
    case SYS_futex:
      return futex_limit(process, call);
    case SYS_futex_waitv:
      return Limit{kNever_ns, time_in(process, argument[3]), is_wall_clock(argument[4]), -ETIMEDOUT};
    case older_calls::kEpollWait:
    case SYS_epoll_pwait:
      return Limit{milliseconds(argument[3])};
    case SYS_epoll_pwait2:
      return Limit{time_in(process, argument[3])};
    case older_calls::kPoll:
      return Limit{milliseconds(argument[2])};
    case SYS_ppoll:
      return Limit{time_in(process, argument[2])};
    case older_calls::kSelect:
      return Limit{small_time_in(process, argument[4])};
    case SYS_pselect6:
      return Limit{time_in(process, argument[4])};
    case SYS_rt_sigtimedwait:
      return Limit{time_in(process, argument[2]), kNever_ns, false, -EAGAIN};
    case SYS_semtimedop:
      return Limit{time_in(process, argument[3]), kNever_ns, false, -EAGAIN};
    case SYS_mq_timedreceive:
    case SYS_mq_timedsend:
      return Limit{kNever_ns, time_in(process, argument[4]), true, -ETIMEDOUT};
    case kFutexWait2:
      return Limit{kNever_ns, time_in(process, argument[4]), is_wall_clock(argument[5]), -ETIMEDOUT};
    case older_calls::kOpen:  // opening a named pipe
    case SYS_openat:
    case SYS_sendfile:
    case SYS_splice:
    case SYS_semop:
    case SYS_msgrcv:
    case SYS_msgsnd:
    case SYS_wait4:
    case SYS_waitid:
    case older_calls::kPause:
    case SYS_rt_sigsuspend:
    case SYS_flock:
    case SYS_fcntl:
      return Limit{};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<WaitEnd> wait_end(pid_t process, const BlockedCall& call, const LabClock& clock, std::int64_t host_ns) {
  WaitEnd out;
  if (call.number == SYS_restart_syscall) {
    out.goes_on = true;
    return out;
  }
  const auto limit = limit_of(process, call);
  if (!limit) return std::nullopt;
  out.result = limit->result;
  out.is_sleep = call.number == SYS_nanosleep || call.number == SYS_clock_nanosleep;
  if (limit->until_ns < kNever_ns) out.virtual_ns = limit->until_ns - (limit->wall ? clock.wall_ahead_ns() : 0);
  if (limit->for_ns < kNever_ns) {
    out.virtual_ns = clock.now_ns() + limit->for_ns;
    out.kernel_ns = host_ns + limit->for_ns;
    out.is_prompt = limit->is_prompt;
    out.goes_on = limit->goes_on;
  }
  return out;
}

bool lengthen_time_out(pid_t process, const BlockedCall& call) {
  const int option = time_out_option(call.number);
  return option != 0 && SocketTimeOut(process, call.arguments[0], option).set_longer(2);
}

void empty_selected(pid_t process, const BlockedCall& call) {
  if (call.number != older_calls::kSelect && call.number != SYS_pselect6) return;
  char empty[128] = {};
  const std::size_t bytes = std::min<std::size_t>(sizeof empty, (call.arguments[0] + 63) / 64 * 8);
  for (std::size_t i = 1; i <= 3; ++i) {
    if (call.arguments[i] == 0 || bytes == 0) continue;
    iovec here{empty, bytes};
    iovec there{reinterpret_cast<void*>(call.arguments[i]), bytes};
    ::process_vm_writev(process, &here, 1, &there, 1, 0);
  }
}

}  // namespace holdfast
