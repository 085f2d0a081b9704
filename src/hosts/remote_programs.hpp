// In a trial's lab: the lock's programs that run on other hosts, as faults strike them, and the process that stands for
// one here.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "hosts/remote_messages.hpp"
#include "hosts/remote_script.hpp"

namespace holdfast {

// The runner's side. Each call waits for the host's answer. Throws HarnessError, with the host's name.
//
//   RemotePrograms programs(folder);
//   programs.signal(2, SIGSTOP);                      // the process group of client 2's program
//   if (programs.look(2).stopped) ...                 // what the host's /proc says
class RemotePrograms {
 public:
  explicit RemotePrograms(std::string folder) : folder_(std::move(folder)) {}
  RemoteGroup signal(std::uint32_t client, int number);
  RemoteGroup look(std::uint32_t client);

 private:
  RemoteGroup ask(const RemoteRequest& request);

  // One a client, so that a host that is slow holds up nobody on another.
  struct Line {
    explicit Line(HeldDescriptor to) : connection(std::move(to)) {}
    HeldDescriptor connection;
    std::mutex mutex;
  };
  Line& line_of(std::uint32_t client);

  const std::string folder_;
  std::mutex mutex_;
  std::map<std::uint32_t, Line> lines_;
};

// `holdfast remote-pipe`: starts the program of `client` on its host, and is from then on what the program is: its
// input, its output, and its end. Returns the exit code. Throws HarnessError.
int run_remote_pipe(const std::string& folder, std::uint32_t client, std::uint32_t node);

}  // namespace holdfast
