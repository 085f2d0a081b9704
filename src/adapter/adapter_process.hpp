// The program of an adapter as a process: in a session and a process group of its own, with pipes for its standard
// input and output, and a log of bounded size for its standard error.
//
//   AdapterProcess process({found_command(manifest), adapter_environment(manifest), "adapter-0.log"});
//   process.write("...\n", 1000);
//   process.signal_group(SIGSTOP);
//   process.close_input();
//   if (!process.wait(5000)) process.kill_group();
//
// It dies with the thread that started it (PR_SET_PDEATHSIG, which the kernel ties to that thread): start it from one
// that lasts. What it started itself is in its group, and ends when the object does: the group is killed before its
// leader is waited for, so that the group's number cannot be another's.
// Errors: HarnessError. Unavailable: the program cannot be executed.
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
  std::string log{};      // its standard error is appended to this file (bounded_log.hpp); empty: to none
  std::string folder{};   // that it works in; empty: the caller's
  std::string install{};  // what installs it, of its manifest: for messages
  int log_pipe = -1;      // in place of a file: somebody else's pipe, or file
};

struct AdapterEnd {
  int code = 0;    // where no signal ended it
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
  int input() const { return input_; }  // negative: it is closed

  enum class Written : std::uint8_t { all, too_slow, closed };
  // Waits, where the pipe is full, for as long as it was able to run.
  Written write(std::string_view text, std::int64_t limit_ms) const;
  void close_input();

  bool signal_group(int number) const;  // false: nothing of the group is left
  // How it ended; nothing: it goes on. It is kept as a zombie for as long as the object lasts. The time counts while it
  // is able to run; of one that stays stopped it gives up after `stopped_ms` more.
  // `starved`: whether it hardly got a processor before the time was over.
  std::optional<AdapterEnd> wait(std::int64_t limit_ms, std::int64_t stopped_ms = 60'000,
                                 bool* starved = nullptr) const;
  void kill_group() const;

  // Its last lines on standard error, without those that are empty.
  std::vector<std::string> last_lines() const { return log_->last_lines(); }

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::unique_ptr<BoundedLog> log_;
};

// Starts the program of an adapter, from a process that may have threads: between fork and exec stand only calls that
// are safe there. Whoever needs more than this one call uses AdapterProcess.

struct SpawnedAdapter {
  pid_t pid = -1;
  int input = -1;   // to write to; does not block
  int output = -1;  // to read from
};

// Returns when the program has been executed. Throws HarnessError, and Unavailable where it cannot be executed.
SpawnedAdapter spawn_adapter(const AdapterCommand& command, int standard_error);

}  // namespace holdfast
