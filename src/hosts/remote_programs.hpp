// In a trial's lab: access to lock programs on other hosts for faults, and the local process that stands in for one.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "hosts/remote_messages.hpp"
#include "hosts/remote_script.hpp"

namespace holdfast {

// The runner's side. Each call waits for the host's answer. Throws HarnessError with the host's name.
//
//   RemotePrograms programs(folder);
//   programs.signal(2, SIGSTOP);                      // the process group of client 2's program
//   if (programs.look(2).stopped) ...                 // read from the host's /proc
class RemotePrograms {
 public:
  explicit RemotePrograms(std::string folder) : folder_(std::move(folder)) {}
  RemoteGroup signal(std::uint32_t client, int number);
  RemoteGroup look(std::uint32_t client);

 private:
  RemoteGroup ask(const RemoteRequest& request);

  // One per client, so that a slow host does not delay others.
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

// `holdfast remote-pipe`: starts the program of `client` on its host and then stands in for it: forwards input and
// output, and ends with it. Returns the exit code. Throws HarnessError.
int run_remote_pipe(const std::string& folder, std::uint32_t client, std::uint32_t node);

}  // namespace holdfast
