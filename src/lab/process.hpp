// A child process held by its pid descriptor, so that a signal never reaches another process with a reused number.
//
//   Spawn spawn; spawn.argv = {"/usr/sbin/mariadbd", ...}; spawn.network = node.descriptor; spawn.log = "db.log";
//   Process db = spawn_process(spawn);
//   db.signal(SIGSTOP);
//
// It gets only what is specified: descriptors, named variables, and no capabilities unless `privileged` is set, which
// only the lab's own tools need.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

struct Spawn {
  std::vector<std::string> argv;  // argv[0] is a path
  int network = -1;               // network namespace to enter; -1: the caller's
  std::string input;              // text for standard input; empty: none (/dev/null, unless keep_input)
  bool keep_input = false;
  std::string log;                                 // file for standard output and error, appended; empty: the caller's
  std::map<std::string, std::string> environment;  // in addition to the variables passed to all (process.cpp)
  std::map<int, int> descriptors;                  // child's number -> caller's descriptor; it has no others
  bool new_session = true;                         // no signals from the caller's terminal
  bool privileged = false;                         // keeps the caller's capabilities
  // Runs in a user namespace of its own with this user id: for programs that refuse to run as user 0, the only user in
  // a lab. 0: the caller's.
  unsigned user = 0;
  bool family = false;  // the program works in child processes, which are stopped and ended with it
};

class Process {
 public:
  Process() = default;
  Process(pid_t pid, int descriptor, bool family = false) : pid_(pid), descriptor_(descriptor), family_(family) {}
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();

  pid_t pid() const { return pid_; }
  // For a family (process_family.hpp) these functions apply to the process and its children together.
  bool signal(int number) const;  // false: it has ended
  char state() const;             // as in /proc/PID/stat: R S D T Z; 'X' after its end
  // Its processor time so far, if all its threads are stopped; else empty.
  std::optional<std::int64_t> stopped_at_ns() const;
  std::optional<int> wait(int timeout_ms);             // exit code, or 128 + signal; empty: still running. Repeatable.
  double cpu_seconds() const { return cpu_seconds_; }  // of it and its waited-for children, after its end

 private:
  pid_t pid_ = -1;
  int descriptor_ = -1;
  bool family_ = false;
  std::optional<int> exit_;
  double cpu_seconds_ = 0;
};

Process spawn_process(const Spawn& spawn);  // throws HarnessError

// Runs it to its end; on failure throws HarnessError with the program's output.
void run_program(const Spawn& spawn);

// Raises the limit of open files for this process and its children. Throws Unavailable if the machine does not allow
// it.
void allow_open_files(std::size_t files);

// The same, as far as the machine allows it.
void allow_more_open_files(std::size_t files);

// Packages that provide a program. Red Hat's names are from documentation, not tested: this program is built on Debian.
struct Package {
  Package(const char* both) : debian(both), red_hat(both) {}
  Package(const char* of_debian, const char* of_red_hat) : debian(of_debian), red_hat(of_red_hat) {}
  std::string debian;
  std::string red_hat;
};

// Full path, searched in PATH and in administration and server folders, which a user's PATH may lack. Throws
// Unavailable with the package's name.
std::string find_program(const std::string& name, const Package& package);

// Path of this program itself.
std::string own_program();

}  // namespace holdfast
