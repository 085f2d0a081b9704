// What the kernel shows of a process, or of a group of them, in /proc. Throws HarnessError: /proc cannot be read.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <optional>

namespace holdfast {

char state_of_process(pid_t pid);  // as in /proc/PID/stat: R S D T Z; 'X' when it is gone

// The processor time that it has used, if all its threads are stopped.
std::optional<std::int64_t> process_stopped_at_ns(pid_t pid);

// The same of all processes of a group (stopped_group.hpp) together; nothing: one of them runs, or there is none.
std::optional<std::int64_t> group_stopped_at_ns(pid_t group);

}  // namespace holdfast
