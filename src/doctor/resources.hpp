// Room on this machine: disk space for results, memory for labs; and whether a lack of processors can be detected.
//
//   auto room = examine_room("runs");    // two examinations
//
// A lab keeps its servers' data in a memory file system of its own; the size of /dev/shm does not matter.
#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"
#include "lab/process.hpp"

namespace holdfast {

struct Room {
  std::int64_t disk_mib = -1;    // -1: unknown
  std::int64_t memory_mib = -1;  // free memory, limited by the container's limit
};

Room room_in(const std::string& folder);    // of the nearest existing folder
int jobs_in(const Room& room, int wanted);  // trials side by side: as many as are wanted, or as fit into the memory
std::vector<Examination> examine_room(const Room& room, const std::string& folder);
Examination examine_waits();

// A folder for the doctor's trials that is removed when the doctor ends, even after kill -9: a separate process holds
// the other end of a pipe and removes the folder when the pipe closes.
//
//   ScratchFolder folder;            // $TMPDIR/holdfast-doctor-XXXXXX
//   ScratchFolder kept("out");       // a folder named by the user, which is kept
//
// Throws BadInput if it cannot be created.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& keep = "");
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  void start_remover();

  std::string path_;
  int line_ = -1;
  Process remover_;
};

// The removing process: waits for the end of standard input. Refuses folders with other names.
void remove_when_over(const std::string& folder);

}  // namespace holdfast
