#include "virtual_time/held_calls.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <ctime>

#include <algorithm>

#include "artifact/units.hpp"
#include "virtual_time/older_calls.hpp"

namespace holdfast {
namespace {

constexpr int kHeld[] = {SYS_execve,           SYS_execveat,      SYS_setitimer,       SYS_getitimer,
                         older_calls::kAlarm,  SYS_timer_create,  SYS_timer_settime,   SYS_timer_gettime,
                         SYS_timer_getoverrun, SYS_timer_delete,  SYS_timerfd_settime, SYS_timerfd_gettime,
                         SYS_gettimeofday,     older_calls::kTime};
constexpr int kRefused[] = {SYS_io_uring_setup, SYS_io_setup};
constexpr std::uint32_t kClocks = 1U << CLOCK_REALTIME | 1U << CLOCK_MONOTONIC | 1U << CLOCK_MONOTONIC_RAW |
                                  1U << CLOCK_REALTIME_COARSE | 1U << CLOCK_MONOTONIC_COARSE | 1U << CLOCK_BOOTTIME |
                                  1U << CLOCK_TAI;  // clocks in the page; others count processor time

sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

sock_filter end_with(std::uint32_t action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}

// Skips the next instruction unless the loaded word has that value.
sock_filter unless_equal_skip_one(std::uint32_t value) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
}

std::vector<sock_filter> filter() {
  std::vector<sock_filter> out = {load(offsetof(seccomp_data, arch)),
                                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
                                  end_with(SECCOMP_RET_ERRNO | ENOSYS), load(offsetof(seccomp_data, nr))};
  for (const int number : kRefused) {
    out.push_back(unless_equal_skip_one(static_cast<std::uint32_t>(number)));
    out.push_back(end_with(SECCOMP_RET_ERRNO | ENOSYS));
  }
  for (const int number : kHeld) {
    out.push_back(unless_equal_skip_one(static_cast<std::uint32_t>(number)));
    out.push_back(end_with(SECCOMP_RET_USER_NOTIF));
  }
  out.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0));
  out.push_back(end_with(SECCOMP_RET_ALLOW));
  out.push_back(load(offsetof(seccomp_data, args)));
  for (std::uint32_t clock = 0; clock < 32; ++clock) {
    if ((kClocks >> clock & 1U) == 0) continue;
    out.push_back(unless_equal_skip_one(clock));
    out.push_back(end_with(SECCOMP_RET_USER_NOTIF));
  }
  out.push_back(end_with(SECCOMP_RET_ALLOW));
  return out;
}

bool respond(const HeldCall& call, std::int64_t value, int error, std::uint32_t flags) {
  seccomp_notif_resp response{};
  response.id = call.id;
  response.val = value;
  response.error = -error;
  response.flags = flags;
  return ::ioctl(call.listener, SECCOMP_IOCTL_NOTIF_SEND, &response) == 0;
}

}  // namespace

int install_call_filter() {
  std::vector<sock_filter> code = filter();
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                    SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
                                    &program));
}

HeldCalls::~HeldCalls() {
  for (const int listener : listeners_) ::close(listener);
}

std::optional<HeldCall> HeldCalls::next(std::int64_t timeout_ns) {
  std::vector<pollfd> polled;
  for (const int listener : listeners_) polled.push_back({listener, POLLIN, 0});
  const timespec timeout{timeout_ns / kSecond_ns, timeout_ns % kSecond_ns};
  if (::ppoll(polled.data(), polled.size(), &timeout, nullptr) <= 0) return std::nullopt;
  for (const pollfd& one : polled) {
    seccomp_notif notified{};
    const bool has_one = (one.revents & POLLIN) != 0 && ::ioctl(one.fd, SECCOMP_IOCTL_NOTIF_RECV, &notified) == 0;
    if (has_one) {
      HeldCall out{one.fd, notified.id, static_cast<pid_t>(notified.pid), notified.data.nr, {}};
      std::copy(std::begin(notified.data.args), std::end(notified.data.args), std::begin(out.arguments));
      return out;
    }
    if ((one.revents & POLLHUP) != 0) {  // the last program under this filter has ended
      ::close(one.fd);
      listeners_.erase(std::find(listeners_.begin(), listeners_.end(), one.fd));
    }
  }
  return std::nullopt;
}

bool HeldCalls::go_on(const HeldCall& call) const {
  return respond(call, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
}

bool HeldCalls::answer(const HeldCall& call, std::int64_t value) const {
  return respond(call, value, 0, 0);
}

bool HeldCalls::fail(const HeldCall& call, int error) const {
  return respond(call, 0, error, 0);
}

int HeldCalls::give(const HeldCall& call, int descriptor) const {
  seccomp_notif_addfd request{};
  request.id = call.id;
  request.srcfd = static_cast<std::uint32_t>(descriptor);
  return ::ioctl(call.listener, SECCOMP_IOCTL_NOTIF_ADDFD, &request);
}

}  // namespace holdfast
