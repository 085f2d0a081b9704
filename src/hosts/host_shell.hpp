// A shell on another host, open for as long as the object lives, through the command that the user gave for that host.
//
//   HostShell shell(place);                // HarnessError where there is none, with what the command said
//   const RemoteGroup there = read_group(shell.ask(group_question(4711)), 4711);
//
// One question at a time; who asks meanwhile waits. Create it in a thread that lasts (adapter/adapter_process.hpp).
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

// The words of a shell on that host, and the environment for them: the user's own, but for the password of a target.
std::vector<std::string> shell_on(const HostPlace& place);
std::map<std::string, std::string> users_environment();

// The next line that a program says, without its end. Throws HarnessError: it ended, or took too long, or `given_up`;
// `who` says which.
std::string next_line(
    int output, std::int64_t limit_ms, const std::string& who, const AdapterProcess& process,
    const std::function<bool()>& given_up = [] { return false; });

// The other way, to a shell. Throws HarnessError as above.
void write_to_shell(const std::string& text, std::int64_t limit_ms, const std::string& who,
                    const AdapterProcess& process);

class HostShell {
 public:
  static constexpr std::int64_t kAnswer_ms = 6'000;
  explicit HostShell(const HostPlace& place);
  // One line to the shell; its answer. An answer that came too late for its own question is passed over.
  std::string ask(const std::string& order, std::int64_t limit_ms = kAnswer_ms);
  const HostPlace& place() const { return place_; }

 private:
  HostPlace place_;
  AdapterProcess process_;
  std::uint64_t asked_ = 0;
  std::mutex mutex_;
};

}  // namespace holdfast
