// A lab from outside: `holdfast lab` in a process of its own, which ends with us, however we end.
//
//   LabProcess lab(folder, {"--part", "explorer"});
//   while (!lab.wait(50)) if (interrupted) lab.end();
//   if (*lab.wait(0) != 0) throw HarnessError(lab.last_words());
//
// Where root starts it the lab is nobody's (lab_user.hpp), if a first empty lab shows that this works here. What the
// lab writes is in `folder`, with its own log, lab.log; when it has ended the files are the caller's. Safe to use from
// several threads at once, one object a thread: it forks only to exec.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/process.hpp"

namespace holdfast {

class LabProcess {
 public:
  LabProcess(const std::string& folder, const std::vector<std::string>& words);
  LabProcess(const LabProcess&) = delete;
  LabProcess& operator=(const LabProcess&) = delete;
  ~LabProcess();  // ends it, and waits for that

  std::optional<int> wait(int timeout_ms);  // its exit code; -1: without end
  void end();                               // at once; whatever it does is over soon
  std::string last_words() const;           // the last thing that it said, as people are to read it
  double cpu_seconds() const { return lab_.cpu_seconds(); }

 private:
  std::string folder_;
  int lifeline_ = -1;
  Process lab_;
  bool ended_ = false;
};

}  // namespace holdfast
