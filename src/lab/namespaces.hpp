// The private world of one trial: its namespaces, whom it belongs to, and how a step of making it is refused.
#pragma once

#include <cerrno>
#include <string>
#include <vector>

namespace holdfast {

// A step of making the lab that this machine refused. confinement.hpp says what to do about it.
struct LabRefusal {
  std::string step;
  int error;
};

inline void require_step(bool worked, const char* step) {
  if (!worked) throw LabRefusal{step, errno};
}

// Whom a lab belongs to. Root of a user namespace that root made is root outside, to every file and socket that it
// reaches. So where root starts a lab, it becomes nobody first, and its folder is nobody's while it runs.
//
//   hand_over(folder);          // in the caller, root
//   become_owner_of(folder);    // in the lab's first process: does nothing where the folder is the caller's own
//   take_back(folder);          // in the caller, when the lab has ended

// Gives the folder, and the files that are in it, to nobody. False: we are not root, or a file system refuses. Throws
// HarnessError where the files cannot be read.
bool hand_over(const std::string& folder);

// What nobody has in the folder is the caller's own again. Follows no links, and needs no memory.
void take_back(const std::string& folder) noexcept;

// The private world of one trial: new user, pid, mount, network and IPC namespaces. The same path for root and for
// others; nothing outside can be reached, and when its first process dies the kernel ends everything in it.
//
//   run_in_lab(folder, argv);   // ends this process with the exit code of argv; call it while there is one thread
//
// Process tree: the caller -> pid 1 of the lab, which only supervises -> argv. The lab ends when argv ends, when the
// caller dies, or when standard input reaches its end (the runner holds the other end of that pipe).
// A private file system in memory is mounted on folder/lab for the servers' data, and for HOME and TMPDIR; it vanishes
// with the lab. Of all other files only those in `folder` can be written.

// `own_network` false: it stays in the machine's network, to reach a server there; all else is private.
// The process ends with kExitUnavailable after one line on standard error when this machine does not allow namespaces
// (confinement.hpp).
[[noreturn]] void run_in_lab(const std::string& folder, const std::vector<std::string>& argv, bool own_network = true);

}  // namespace holdfast
