// For how long the programs that an adapter starts, as a shell does for each request, may have waited for a processor:
// they are over before anybody can look at their own counts, so that this is the most it can have been.
//
//   ProgramWait wait(pid);
//   ... a while later ...
//   wait.look_ns(now_ns);       // at most, since the last look; 0: it had no such program
//
// It had one if one ended (the kernel adds up the page faults of children that were waited for) or if another process
// of its session is there. Then no more can have been lost than the time itself, nor than somebody on this machine
// waited, on all its processors together (/proc/pressure/cpu). Where the kernel does not tell that: than the time.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <optional>
#include <string>

namespace holdfast {

class ProgramWait {
 public:
  ProgramWait(pid_t pid, std::int64_t now_ns);
  std::int64_t look_ns(std::int64_t now_ns);

 private:
  bool had_programs();

  pid_t pid_;
  std::int64_t looked_ns_;
  std::int64_t faults_;
  std::optional<std::int64_t> pressure_ns_;
};

// Of a line of /proc/PID/stat; -1: it is none.
std::int64_t faults_of_children(const std::string& stat);
std::int64_t session_of(const std::string& stat);

// How long somebody has waited so far, of the text of /proc/pressure/cpu; nothing: it is none.
std::optional<std::int64_t> pressure_ns(const std::string& text);

// Of `passed_ns`, with what the pressure grew by, if it is known.
std::int64_t waited_at_most_ns(std::int64_t passed_ns, std::optional<std::int64_t> pressure_ns,
                               std::int64_t processors);

}  // namespace holdfast
