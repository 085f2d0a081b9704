// The client process: `holdfast client`, started by the runner inside a trial's lab, on a node with an address of its
// own. It reads the trial's plan.json, runs one lock in a loop, and journals what it does to client-N.journal.
//
// It has one Lock, which its threads share, as a program's threads share a library; sessions, claims and journals are
// each thread's own. Faults strike processes of the operating system, so a whole client; the checker judges processes
// of the history, which are threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "servers/target.hpp"

namespace holdfast {

struct ClientOptions {
  std::string folder;  // of the trial
  std::uint32_t client = 0;
  std::uint64_t seed = 0;                 // of its own choices
  int page_descriptor = -1;               // of the control page, inherited
  std::string lock_host;                  // address of the lock service
  std::vector<std::string> server_hosts;  // of all its servers, in a topology whose clients know them all
  std::string replica_host;               // of its replica, in a topology that has one
  std::string resource_host;              // address of the protected resource
  std::string own_address;
  std::optional<Target> target;  // the lock's server, and the resource's if it can be, where it is the user's own
  bool wall_is_asked = false;    // a fault may set the wall clock of its lock's program wrong
  std::string resource_socket;   // a path, in place of resource_host
  // Where its lock's program runs on another host: the words of a program of ours that stands for it, and the lock's
  // server as that host reaches it; empty: as here.
  std::vector<std::string> through;
  std::string host_there;
  unsigned port_there = 0;
};

// Returns when the runner says stop. Errors: HarnessError, BadInput.
void run_client(const ClientOptions& options);

// Where a client's thread writes what it does, and where its watchdog does.
std::string journal_path(const std::string& folder, std::uint32_t client, std::uint32_t thread, bool background);
// ... and where its lock's observer does.
std::string observer_path(const std::string& folder, std::uint32_t client);

}  // namespace holdfast
