// Determines from outside what a blocked thread waits for, and until when: from its call's number and arguments
// (/proc/PID/task/TID/syscall), and time-outs in its memory and of its sockets.
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
  std::int64_t virtual_ns = kNever_ns;  // on the lab's clock
  std::int64_t kernel_ns = kNever_ns;   // on the host's clock, for a wait measured by the kernel from its beginning
  bool is_prompt = false;               // the kernel ends it at that time, whatever the thread's slack
  bool is_sleep = false;                // only the end of the time ends it
  long result = 0;                      // return value of the call at the end of its time
  bool goes_on = false;                 // continues an earlier wait, whose end stays
};

// Empty: the call is not known to wait, so the thread counts as running. A wait begins when it is first seen: `host_ns`
// is the present time on the host's clock.
std::optional<WaitEnd> wait_end(pid_t process, const BlockedCall& call, const LabClock& clock, std::int64_t host_ns);

// For a call that waits for a socket: prevents the kernel from ending the restarted call. Returns false for other
// calls.
bool lengthen_time_out(pid_t process, const BlockedCall& call);

// Makes the sets of select and pselect6 empty, as they are when its time is over.
void empty_selected(pid_t process, const BlockedCall& call);

}  // namespace holdfast
