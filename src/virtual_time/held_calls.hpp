// The system calls of programs in virtual time that cannot be left to the kernel, held until the timekeeper has
// answered (seccomp's user notifications): execve, after which a program needs its clock again; timers, which would
// count the host's time; and raw readings of the clock, which would tell it. All other calls run at full speed.
//
//   in the child, before execve:   const int listener = install_call_filter();
//   in the timekeeper:             HeldCalls calls; calls.add(listener_of(child));
//                                  while (auto call = calls.next(timeout_ns)) { ... calls.answer(*call, 0); }
//
// Children inherit the filter, and no program under it gains privileges (PR_SET_NO_NEW_PRIVS). io_uring and Linux's
// asynchronous I/O are refused, because no reading shows what waits in them; programs use threads instead. So are all
// calls of 32-bit programs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast {

// Of the calling thread and its future children. A descriptor that is closed at exec; -1 with errno set.
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
  // The next call that waits for an answer; waits for so long at most. Nothing: none came.
  std::optional<HeldCall> next(std::int64_t timeout_ns);
  // False of each: the caller has ended, or gave up.
  bool go_on(const HeldCall& call) const;  // the kernel executes it
  bool answer(const HeldCall& call, std::int64_t value) const;
  bool fail(const HeldCall& call, int error) const;
  // The descriptor that the caller has it by from now on, also after an execve; -1: it could not be given.
  int give(const HeldCall& call, int descriptor) const;

 private:
  std::vector<int> listeners_;
};

}  // namespace holdfast
