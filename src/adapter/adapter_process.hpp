// The process of an adapter: in its own session and process group, with pipes for standard input and output and a
// size-limited log for standard error.
//
//   AdapterProcess process({found_command(manifest), adapter_environment(manifest), "adapter-0.log"});
//   process.write("...\n", 1000);
//   process.signal_group(SIGSTOP);
//   process.close_input();
//   if (!process.wait(5000)) process.kill_group();
//
// The process dies with the thread that started it (PR_SET_PDEATHSIG, which the kernel ties to the thread), so use a
// long-lived thread. Its child processes are in its group and end with the object: the group is killed before its
// leader is waited for, so the group's number cannot be reused.
// Throws HarnessError; Unavailable if the program cannot be executed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/bounded_log.hpp"

namespace holdfast {

struct AdapterCommand {
  std::vector<std::string> words;  // the first is a path
  std::map<std::string, std::string> environment{};
  std::string log{};      // file to which standard error is appended (bounded_log.hpp); empty: none
  std::string folder{};   // working directory; empty: the caller's
  std::string install{};  // install command of its manifest, for messages
  int log_pipe = -1;      // replaces the file: a pipe or file from another process
};

struct AdapterEnd {
  int code = 0;    // if no signal ended it
  int signal = 0;  // 0: it exited
  bool clean() const { return code == 0 && signal == 0; }
  std::string text() const;  // "exited with code 3", "was ended by signal 9 (Killed)"
};

class AdapterProcess {
 public:
  explicit AdapterProcess(const AdapterCommand& command);
  ~AdapterProcess();
  AdapterProcess(const AdapterProcess&) = delete;
  AdapterProcess& operator=(const AdapterProcess&) = delete;

  pid_t pid() const { return pid_; }  // also the number of its group
  int output() const { return output_; }
  int input() const { return input_; }  // negative: closed

  enum class Written : std::uint8_t { all, too_slow, closed };
  // If the pipe is full, waits while the process is able to run, up to the limit.
  Written write(std::string_view text, std::int64_t limit_ms) const;
  void close_input();

  bool signal_group(int number) const;  // returns false if nothing of the group is left
  // Returns how the process ended, or nothing if it still runs. It is kept as a zombie for the object's lifetime. The
  // limit counts time in which it is able to run; if it stays stopped, the wait ends after `stopped_ms`.
  // `starved` is set if it hardly got a processor within the limit.
  std::optional<AdapterEnd> wait(std::int64_t limit_ms, std::int64_t stopped_ms = 60'000,
                                 bool* starved = nullptr) const;
  void kill_group() const;

  // Last non-empty lines on standard error.
  std::vector<std::string> last_lines() const { return log_->last_lines(); }

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::unique_ptr<BoundedLog> log_;
};

// Starts an adapter's program, safely in a process with threads: only async-signal-safe calls are made between fork and
// exec. AdapterProcess adds everything else.

struct SpawnedAdapter {
  pid_t pid = -1;
  int input = -1;   // for writing; non-blocking
  int output = -1;  // for reading
};

// Returns when the program has been executed. Throws HarnessError, or Unavailable if it cannot be executed.
SpawnedAdapter spawn_adapter(const AdapterCommand& command, int standard_error);

}  // namespace holdfast
