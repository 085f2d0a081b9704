// Builds commands for a shell on another host and parses its answers. Pure: it starts nothing. The shell may be dash,
// bash or busybox; the host is a Linux with setsid, mktemp, mkfifo, cat and grep.
//
//   launch_script({{"./lock.py"}, {}, "/opt/my_lock"})    the shell becomes the keeper of a program
//
// The keeper prints one line, "holdfast PID"; from then on its input and output are the program's. PID is also the
// number of the program's process group, in its own session. When the input ends (because holdfast was killed or the
// connection was lost) the program's input ends too, and after five seconds the rest of its group is killed, even if
// stopped. When the program ends, the keeper ends with its exit code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

struct RemoteProgram {
  std::vector<std::string> words;                    // the first is resolved by the host: a path, or a name in its PATH
  std::map<std::string, std::string> environment{};  // added to the host's own
  std::string folder{};                              // working directory
};

std::string launch_script(const RemoteProgram& program);

// "holdfast 4711" -> 4711; empty: another text.
std::optional<std::int64_t> launched_group(const std::string& line);

// Lines for a shell that stays open.
std::string needed_of_host();  // the answer lists what the host lacks, one per line
// SIGSTOP, SIGCONT or SIGKILL; throws HarnessError for others
std::string signal_order(std::int64_t group, int number);
std::string group_question(std::int64_t group);

// State of a process group.
struct RemoteGroup {
  int threads = 0;          // threads of living processes
  bool stopped = false;     // all of them are stopped
  std::int64_t ran_ns = 0;  // processor time used, in units of the kernel's 10 ms ticks
};

// `lines`: the answer to group_question, from /proc/PID/task/TID/stat. Lines of other groups are skipped. Throws
// HarnessError for a malformed line, or if the host's /proc cannot be read.
RemoteGroup read_group(const std::string& lines, std::int64_t group);

}  // namespace holdfast
