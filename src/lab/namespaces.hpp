// The isolated environment of one trial: its namespaces, its owner, and errors while making it.
#pragma once

#include <cerrno>
#include <string>
#include <vector>

namespace holdfast {

// A step of making the lab that this machine refused. confinement.hpp adds the remedy.
struct LabRefusal {
  std::string step;
  int error;
};

inline void require_step(bool worked, const char* step) {
  if (!worked) throw LabRefusal{step, errno};
}

// Owner of a lab. Root in a user namespace that root made is root outside as well, for all files and sockets it
// reaches. So a lab started by root becomes user nobody first, and its folder belongs to nobody while it runs.
//
//   hand_over(folder);          // in the caller, root
//   become_owner_of(folder);    // in the lab's first process: does nothing if the folder belongs to the caller
//   take_back(folder);          // in the caller, after the lab has ended

// Gives the folder and its files to nobody. Returns false if the caller is not root, or a file system refuses. Throws
// HarnessError if the files cannot be read.
bool hand_over(const std::string& folder);

// Returns nobody's files in the folder to the caller. Follows no links and allocates no memory.
void take_back(const std::string& folder) noexcept;

// The isolated environment of one trial: new user, pid, mount, network and IPC namespaces, for root and other users
// alike. Nothing outside is reachable, and when the first process dies, the kernel ends everything in it.
//
//   run_in_lab(folder, argv);   // ends this process with the exit code of argv; call it before creating threads
//
// Process tree: the caller -> pid 1 of the lab, which only supervises -> argv. The lab ends when argv ends, when the
// caller dies, or at the end of standard input (the runner holds the other end of that pipe). A private memory file
// system is mounted on folder/lab for the servers' data, HOME and TMPDIR; it vanishes with the lab. Elsewhere only
// files in `folder` are writable.

// `own_network` false: stays in the machine's network, to reach a server there; everything else is private.
// If this machine does not allow namespaces, the process prints one line on standard error and ends with
// kExitUnavailable (confinement.hpp).
[[noreturn]] void run_in_lab(const std::string& folder, const std::vector<std::string>& argv, bool own_network = true);

}  // namespace holdfast
