// Room on this machine: disk for the results, memory for the labs; and whether it is seen when it runs out of
// processors.
//
//   auto room = examine_room("runs");    // two examinations
//
// A lab keeps its servers' data in memory, in a file system of its own; /dev/shm is not used, however small it is.
#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"
#include "lab/process.hpp"

namespace holdfast {

struct Room {
  std::int64_t disk_mib = -1;    // -1: nobody can say
  std::int64_t memory_mib = -1;  // what is free, or what the limit of a container leaves of it
};

Room room_in(const std::string& folder);    // of the nearest folder that is there
int jobs_in(const Room& room, int wanted);  // trials side by side: as many as are wanted, or as fit into the memory
std::vector<Examination> examine_room(const Room& room, const std::string& folder);
Examination examine_waits();

// A folder for the doctor's trials that is gone when the doctor is, however that ends: a process of its own holds the
// other end of a pipe and removes the folder once nobody writes to it any more, also after kill -9.
//
//   ScratchFolder folder;            // $TMPDIR/holdfast-doctor-XXXXXX
//   ScratchFolder kept("out");       // or one that the user named, which stays
//
// Errors: BadInput, when it cannot be made.
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

// The process that removes it: waits for the end of standard input first. Refuses a folder of any other name.
void remove_when_over(const std::string& folder);

}  // namespace holdfast
