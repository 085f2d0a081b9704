// Upper bound of the time that an adapter's child programs (a shell may start one per request) waited for a processor.
// They end before their own counters can be read.
//
//   ProgramWait wait(pid);
//   ... a while later ...
//   wait.look_ns(now_ns);       // upper bound since the last call; 0: it had no child programs
//
// It had one if one ended (the kernel adds up page faults of waited-for children) or if another process is in its
// session. Then the wait was at most the elapsed time, and at most the time in which any process on this machine
// waited, summed over its processors (/proc/pressure/cpu). Without that file: the elapsed time.
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

// Parses a line of /proc/PID/stat; -1: malformed.
std::int64_t faults_of_children(const std::string& stat);
std::int64_t session_of(const std::string& stat);

// Total waiting time from the text of /proc/pressure/cpu; empty: malformed.
std::optional<std::int64_t> pressure_ns(const std::string& text);

// Limits `passed_ns` by the growth of the pressure counter, if known.
std::int64_t waited_at_most_ns(std::int64_t passed_ns, std::optional<std::int64_t> pressure_ns,
                               std::int64_t processors);

}  // namespace holdfast
