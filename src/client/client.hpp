// The client process: `holdfast client`, started by the runner inside a trial's lab on a network node with its own
// address. It reads the trial's plan.json, runs one lock in a loop and writes its events to client-N.journal.
//
// The client has one Lock, shared by its threads as threads of a program share a library. Each thread has its own
// session, claims and journal. Faults strike operating-system processes, that is, whole clients; the checker judges the
// processes of the history, which are threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "servers/target.hpp"

namespace holdfast {

struct ClientOptions {
  std::string folder;  // the trial's folder
  std::uint32_t client = 0;
  std::uint64_t seed = 0;                 // for the client's own random choices
  int page_descriptor = -1;               // inherited descriptor of the control page
  std::string lock_host;                  // address of the lock service
  std::vector<std::string> server_hosts;  // all servers, in a topology whose clients know them all
  std::string replica_host;               // the replica, in a topology that has one
  std::string resource_host;              // address of the protected resource
  std::string own_address;
  std::optional<Target> target;  // if the lock's server is the user's own; also holds the resource if it can
  bool wall_is_asked = false;    // a fault may set the wall clock of its lock's program wrong
  std::string resource_socket;   // a path, used instead of resource_host
  // If the lock's program runs on another host: the command of the holdfast process that stands in for it, and the lock
  // server's address as seen from that host. Empty: the program runs here.
  std::vector<std::string> through;
  std::string host_there;
  unsigned port_there = 0;
};

// Runs until the runner sets `stop`. Throws HarnessError or BadInput.
void run_client(const ClientOptions& options);

// Returns the path of the journal of a client's thread, or of its watchdog.
std::string journal_path(const std::string& folder, std::uint32_t client, std::uint32_t thread, bool background);
// Returns the path of the journal of the client's lock observer.
std::string observer_path(const std::string& folder, std::uint32_t client);
// Returns the path of the journal of assertions that the client's lock evaluated.
std::string assertions_path(const std::string& folder, std::uint32_t client);

}  // namespace holdfast
