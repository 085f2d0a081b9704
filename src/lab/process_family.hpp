// Treats a process and its children as one: a server with a process per connection is stopped, or has ended, only when
// all of them are. The first process alone proves nothing, since its children continue without it.
//
//   signal_family(hold, pid, SIGSTOP);   // the first one first, so that it starts no more
//   family_state(pid)                    // 'T' if all of them are stopped
//
// Grandchildren are not considered, nor are ended processes that were not waited for.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace holdfast {

// Sends SIGSTOP, SIGCONT or SIGKILL to all. `signal_first` signals the first one and returns whether it exists; if not,
// returns false.
bool signal_family(const std::function<bool(int)>& signal_first, pid_t first, int number);

char family_state(pid_t first);                                 // as state_of_process; T only if all are stopped
std::optional<std::int64_t> family_stopped_at_ns(pid_t first);  // of all together; empty: one of them runs

}  // namespace holdfast
