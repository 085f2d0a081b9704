// A file that is there as a whole or not at all: written beside, then renamed. The name beside is one that nothing has:
// what is there already, a link among it, is neither written through nor removed.
//
//   write_whole(folder_fd, "verdict.json", text, true, "runs/x/verdict.json");   // HarnessError names the last one
//
// Without `surely` the operating system writes when it likes, so that a machine that loses its power may lose the file,
// or leave it empty.
#pragma once

#include <string>

namespace holdfast {

// Brings what was written to a file, or the names in a folder, to the disk. Some file systems of the network keep their
// folders by themselves and refuse to be asked (EINVAL): that is none of ours to mend.
bool brought_to_disk(int fd);

void write_whole(int folder, const std::string& name, const std::string& text, bool surely, const std::string& shown);

}  // namespace holdfast
