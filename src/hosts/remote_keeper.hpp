// Keeps the remote programs of one trial, from outside its lab: there alone are the user's own rights, keys and
// network, with which another host is reached. It starts what it was made with and nothing else, whatever the lab asks
// for.
//
//   Hosts hosts(load_hosts("hosts.json"));                       // once a run; tries each
//   RemoteKeeper keeper(hosts, program, 30'000, trial_folder);   // before the lab is launched; gone after it
//
// In the lab a client starts `holdfast remote-pipe` in the place of its lock's program, and the runner has
// RemotePrograms (remote_programs.hpp).
//
// A program ends with its connection, the connection with the lab. If this process is killed the connections end, too,
// and the keeper of launch_script() on the other side ends the program.
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

// All hosts of a run, a shell open on each. Create it in a thread that lasts. Throws HarnessError: one cannot be had.
class Hosts {
 public:
  explicit Hosts(const std::vector<HostPlace>& places);
  std::size_t size() const { return shells_.size(); }
  HostShell& of_node(std::uint32_t node) { return *shells_.at(host_of_node(shells_.size(), node)); }
  std::vector<std::string> servers() const;  // as each reaches the lock's: "HOST:PORT", or "-" where that is as here

 private:
  std::vector<std::unique_ptr<HostShell>> shells_;
};

// What a manifest starts, for another host: of the environment it gets only what the manifest names.
RemoteProgram remote_program(const Manifest& manifest);

class RemoteKeeper {
 public:
  // `start_ms`: how long a host may take to start the program.
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
