// A shell on another host, open for the object's lifetime, started by the user's command for that host.
//
//   HostShell shell(place);                // throws HarnessError with the command's output if it cannot start
//   const RemoteGroup there = read_group(shell.ask(group_question(4711)), 4711);
//
// Answers one question at a time; concurrent callers wait. Create it in a long-lived thread
// (adapter/adapter_process.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "adapter/adapter_process.hpp"
#include "hosts/host_list.hpp"
#include "hosts/remote_messages.hpp"

namespace holdfast {

// The command of a shell on that host, and its environment: the user's own without the password of a target.
std::vector<std::string> shell_on(const HostPlace& place);
std::map<std::string, std::string> users_environment();

// Returns the next line of a program's output, without its end. Throws HarnessError if the program ended, took too
// long, or `given_up` is true; `who` names it in the text.
std::string next_line(
    int output, std::int64_t limit_ms, const std::string& who, const AdapterProcess& process,
    const std::function<bool()>& given_up = [] { return false; });

// Sends in the other direction, to a shell. Throws HarnessError as above.
void write_to_shell(const std::string& text, std::int64_t limit_ms, const std::string& who,
                    const AdapterProcess& process);

class HostShell {
 public:
  static constexpr std::int64_t kAnswer_ms = 6'000;
  explicit HostShell(const HostPlace& place);
  // Sends one line and returns the answer. A late answer to an earlier question is skipped.
  std::string ask(const std::string& order, std::int64_t limit_ms = kAnswer_ms);
  const HostPlace& place() const { return place_; }

 private:
  HostPlace place_;
  AdapterProcess process_;
  std::uint64_t asked_ = 0;
  std::mutex mutex_;
};

}  // namespace holdfast
