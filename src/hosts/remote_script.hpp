// What a shell on another host is told, and how its answers are read. Pure: it starts nothing. The shell may be dash,
// bash or busybox; the host is a Linux, with setsid, mktemp, mkfifo, cat and grep.
//
//   launch_script({{"./lock.py"}, {}, "/opt/my_lock"})    the shell becomes the keeper of a program
//
// The keeper says one line, "holdfast PID", and from then on its input and output are the program's. PID is also the
// number of the program's process group, in a session of its own. When the input ends, as it does when we are killed
// or the connection is lost, the program's input ends too, and what is left of its group after five seconds is killed,
// stopped or not. When the program ends, the keeper ends with its exit code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

struct RemoteProgram {
  std::vector<std::string> words;                    // the first is found by the host: a path, or a name in its PATH
  std::map<std::string, std::string> environment{};  // besides what that host gives
  std::string folder{};                              // that it works in
};

std::string launch_script(const RemoteProgram& program);

// "holdfast 4711" -> 4711; nothing: it is something else.
std::optional<std::int64_t> launched_group(const std::string& line);

// Of a shell that stays, one line each.
std::string needed_of_host();                              // answered by what that host lacks, a line each
std::string signal_order(std::int64_t group, int number);  // SIGSTOP, SIGCONT or SIGKILL; HarnessError: another
std::string group_question(std::int64_t group);

// What is there of a process group.
struct RemoteGroup {
  int threads = 0;          // of processes that live
  bool stopped = false;     // all of them
  std::int64_t ran_ns = 0;  // processor time that they have used, as coarse as the kernel's ticks of 10 ms
};

// `lines`: the answer to group_question, of /proc/PID/task/TID/stat. What is of other groups is passed over. Throws
// HarnessError: a line is none, or the host cannot look.
RemoteGroup read_group(const std::string& lines, std::int64_t group);

}  // namespace holdfast
