// A folder for the doctor's trials that is gone when the doctor is, however that ends: a process of its own holds the
// other end of a pipe and removes the folder once nobody writes to it any more, also after kill -9.
//
//   ScratchFolder folder;            // $TMPDIR/holdfast-doctor-XXXXXX
//   ScratchFolder kept("out");       // or one that the user named, which stays
//
// Errors: BadInput, when it cannot be made.
#pragma once

#include <string>

#include "lab/process.hpp"

namespace holdfast {

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
