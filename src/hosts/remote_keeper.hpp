// Keeps the remote programs of one trial. It runs outside the lab, because only there are the user's rights, keys and
// network available to reach other hosts. It starts only the program it was created with, whatever the lab requests.
//
//   Hosts hosts(load_hosts("hosts.json"));                       // once per run; tries each host
//   RemoteKeeper keeper(hosts, program, 30'000, trial_folder);   // created before the lab, destroyed after it
//
// In the lab a client starts `holdfast remote-pipe` in place of its lock's program; the runner uses RemotePrograms
// (remote_programs.hpp).
//
// A program ends with its connection, and the connection with the lab. If this process is killed, its connections end
// too, and the keeper script on the other host (launch_script()) ends the program.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "adapter/manifest.hpp"
#include "hosts/host_list.hpp"
#include "hosts/host_shell.hpp"
#include "hosts/remote_messages.hpp"
#include "hosts/remote_script.hpp"

namespace holdfast {

// All hosts of a run, with an open shell on each. Create it in a long-lived thread. Throws HarnessError if a host is
// unreachable.
class Hosts {
 public:
  explicit Hosts(const std::vector<HostPlace>& places);
  std::size_t size() const { return shells_.size(); }
  HostShell& of_node(std::uint32_t node) { return *shells_.at(host_of_node(shells_.size(), node)); }
  std::vector<std::string> servers() const;  // the lock's server as seen from each host: "HOST:PORT", or "-" if as here

 private:
  std::vector<std::unique_ptr<HostShell>> shells_;
};

// Returns the program that a manifest starts, for another host: its environment has only the variables that the
// manifest names.
RemoteProgram remote_program(const Manifest& manifest);

class RemoteKeeper {
 public:
  // `start_ms`: maximum time for a host to start the program.
  RemoteKeeper(Hosts& hosts, RemoteProgram program, std::int64_t start_ms, const std::string& folder);
  ~RemoteKeeper();
  RemoteKeeper(const RemoteKeeper&) = delete;
  RemoteKeeper& operator=(const RemoteKeeper&) = delete;

 private:
  struct Started {
    std::uint32_t node = 0;
    std::int64_t group = 0;
    bool connection_ended = false;
  };

  void take_all();
  void serve_safely(int connection);
  void serve(int connection);
  void keep(int connection, const RemoteRequest& request, const HeldDescriptor& complaints);
  RemoteReply struck(const RemoteRequest& request);
  void note(std::uint32_t client, const Started& one);
  Started started(std::uint32_t client);

  Hosts& hosts_;
  const RemoteProgram program_;
  const std::int64_t start_ms_;
  const std::string folder_;
  HeldDescriptor listens_;
  std::atomic<bool> over_{false};
  std::mutex mutex_;
  std::map<std::uint32_t, Started> started_;  // by client
  std::list<std::jthread> serving_;
  std::jthread takes_;
};

}  // namespace holdfast
