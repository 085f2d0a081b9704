// Whom a lab belongs to. Root of a user namespace that root made is root outside, to every file and socket that it
// reaches. So where root starts a lab, it becomes nobody first, and its folder is nobody's while it runs.
//
//   hand_over(folder);          // in the caller, root
//   become_owner_of(folder);    // in the lab's first process: does nothing where the folder is the caller's own
//   take_back(folder);          // in the caller, when the lab has ended
#pragma once

#include <string>

namespace holdfast {

// Gives the folder, and the files that are in it, to nobody. False: we are not root, or a file system refuses. Throws
// HarnessError where the files cannot be read.
bool hand_over(const std::string& folder);

// What nobody has in the folder is the caller's own again. Follows no links.
void take_back(const std::string& folder);

// Where the caller is root and the folder nobody's, the caller becomes nobody, for good, in a mount namespace in which
// the folder can be reached: the first folder on the way to it that only root may enter is hidden behind an empty one
// that has nothing but this way. Throws LabRefusal (refusal.hpp).
void become_owner_of(const std::string& folder);

}  // namespace holdfast
