// Whether a control group's limit of processes and threads (pids.max) has been met: a server that may start no thread
// says all kinds of things when it ends, but hardly ever that.
//
//   throw HarnessError("the server ended at once" + refused_processes());
//   // "...; its control group allows 8 processes and threads (pids.max), and has refused more; remedy: allow more"
//
// The kernel counts refusals since the group was made, and so they may be older than what ended the server: what is
// said is what is known. Nothing is said where no group has refused any, or where its files cannot be read.
#pragma once

#include <string>

namespace holdfast {

// `groups`: where the control groups are mounted; `own`: which of them this process is in, as /proc/self/cgroup has it.
std::string refused_processes(const std::string& groups, const std::string& own);
std::string refused_processes();

}  // namespace holdfast
