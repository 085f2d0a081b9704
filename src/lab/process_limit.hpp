// Detects whether a control group's limit on processes and threads (pids.max) was reached: a server that cannot start a
// thread ends with many kinds of messages that rarely name the limit.
//
//   throw HarnessError("the server ended at once" + refused_processes());
//   // "...; its control group allows 8 processes and threads (pids.max), and has refused more; remedy: allow more"
//
// The kernel counts refusals since the group's creation, so they may be older than the server's end. Returns an empty
// text if no group has refused any, or if the files cannot be read.
#pragma once

#include <string>

namespace holdfast {

// `groups`: mount point of the control groups; `own`: this process's groups, as in /proc/self/cgroup.
std::string refused_processes(const std::string& groups, const std::string& own);
std::string refused_processes();

}  // namespace holdfast
