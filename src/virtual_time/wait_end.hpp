// What a thread waits for in the system call in which it is blocked, and until when, read from outside: the call's
// number and arguments (/proc/PID/task/TID/syscall), the time-outs in its memory and of its sockets.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <limits>
#include <optional>

#include "virtual_time/lab_clock.hpp"

namespace holdfast {

inline constexpr std::int64_t kNever_ns = std::numeric_limits<std::int64_t>::max() / 2;

struct BlockedCall {
  long number = -1;
  std::uint64_t arguments[6] = {};
  std::uint64_t stack = 0;
  bool operator==(const BlockedCall& other) const = default;
};

struct WaitEnd {
  std::int64_t virtual_ns = kNever_ns;  // by the lab's clock
  std::int64_t kernel_ns = kNever_ns;   // by the host's, of a wait that the kernel counts from its beginning
  bool is_prompt = false;               // the kernel ends it then, whatever slack the thread has
  bool is_sleep = false;                // nothing else ends it
  long result = 0;                      // of the call, as it returns when its time is over
  bool goes_on = false;                 // an earlier wait goes on, whose end is kept
};

// Nothing: a call that is not known to wait, so the thread counts as running. A wait begins when it is first seen:
// `host_ns` is now, by the host's clock.
std::optional<WaitEnd> wait_end(pid_t process, const BlockedCall& call, const LabClock& clock, std::int64_t host_ns);

// Of a call that waits for a socket: as it is begun again, the kernel does not end it. False: it is another.
bool lengthen_time_out(pid_t process, const BlockedCall& call);

// Makes the sets of select and pselect6 empty, as they are when its time is over.
void empty_selected(pid_t process, const BlockedCall& call);

}  // namespace holdfast
