// A process and its children as one: a server that has a process for each connection stands still, or ends, only when
// all of them do. Its first process alone proves nothing: what it started works on without it.
//
//   signal_family(hold, pid, SIGSTOP);   // the first one first: then it makes no more
//   family_state(pid)                    // 'T' when all of them stand
//
// Children of children are not looked for. A process that has ended and was not waited for is none.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace holdfast {

// SIGSTOP, SIGCONT or SIGKILL to all; `signal_first` reaches the first and says whether it is there. False: it is not.
bool signal_family(const std::function<bool(int)>& signal_first, pid_t first, int number);

char family_state(pid_t first);                                 // as state_of_process; T only if all stand
std::optional<std::int64_t> family_stopped_at_ns(pid_t first);  // of all together; nothing: one of them runs

}  // namespace holdfast
