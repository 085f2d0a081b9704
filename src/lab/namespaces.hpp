// The private world of one trial: new user, pid, mount, network and IPC namespaces. The same path for root and for
// others; nothing outside can be reached, and when its first process dies the kernel ends everything in it.
//
//   run_in_lab(folder, argv);   // ends this process with the exit code of argv; call it while there is one thread
//
// Process tree: the caller -> pid 1 of the lab, which only supervises -> argv. The lab ends when argv ends, when the
// caller dies, or when standard input reaches its end (the runner holds the other end of that pipe).
// A private file system in memory is mounted on folder/lab for the servers' data, and for HOME and TMPDIR; it vanishes
// with the lab. Of all other files only those in `folder` can be written.
#pragma once

#include <string>
#include <vector>

namespace holdfast {

// `own_network` false: it stays in the machine's network, to reach a server there; all else is private.
// The process ends with kExitUnavailable after one line on standard error when this machine does not allow namespaces
// (confinement.hpp).
[[noreturn]] void run_in_lab(const std::string& folder, const std::vector<std::string>& argv, bool own_network = true);

}  // namespace holdfast
