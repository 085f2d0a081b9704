// System calls of programs in virtual time that the kernel must not execute directly; they are held until the
// timekeeper has answered (seccomp user notifications): execve, after which a program needs its clock again; timers,
// which would use the host's time; and raw readings of the clock. All other calls run at full speed.
//
//   in the child, before execve:   const int listener = install_call_filter();
//   in the timekeeper:             HeldCalls calls; calls.add(listener_of(child));
//                                  while (auto call = calls.next(timeout_ns)) { ... calls.answer(*call, 0); }
//
// Children inherit the filter, and no program under it gains privileges (PR_SET_NO_NEW_PRIVS). io_uring and Linux's
// asynchronous I/O are refused, because their pending waits cannot be observed; programs use threads instead. All calls
// of 32-bit programs are refused, too.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast {

// For the calling thread and its future children. Returns a close-on-exec descriptor; -1 with errno set on failure.
int install_call_filter();

struct HeldCall {
  int listener = -1;
  std::uint64_t id = 0;
  pid_t tid = 0;
  int number = 0;
  std::uint64_t arguments[6] = {};
};

class HeldCalls {
 public:
  HeldCalls() = default;
  ~HeldCalls();
  HeldCalls(const HeldCalls&) = delete;
  HeldCalls& operator=(const HeldCalls&) = delete;

  void add(int listener) { listeners_.push_back(listener); }
  // Returns the next held call, or nothing after the time-out.
  std::optional<HeldCall> next(std::int64_t timeout_ns);
  // These return false if the caller has ended, or given up.
  bool go_on(const HeldCall& call) const;  // lets the kernel execute it
  bool answer(const HeldCall& call, std::int64_t value) const;
  bool fail(const HeldCall& call, int error) const;
  // Returns the descriptor's number in the caller, which survives execve; -1: it could not be installed.
  int give(const HeldCall& call, int descriptor) const;

 private:
  std::vector<int> listeners_;
};

}  // namespace holdfast
