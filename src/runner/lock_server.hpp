// The lock's server, as a trial needs it: started, prepared, asked about its connections. One implementation a make of
// server or topology; a trial of any lock goes through this and knows no more.
//
//   auto server = make_lock_server(plan);
//   server->start(place);       // at once, beside other work
//   server->prepare(plan.lock); // waits until it answers; makes what the lock needs
//
// The protected resource is not here: it is always a table on MariaDB at its own address (stores.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "artifact/plan.hpp"
#include "lab/network.hpp"

namespace holdfast {

struct ServerPlace {
  std::string folder;  // of the trial: logs; its folder `lab` is in memory
  int network = -1;    // the node's network namespace
};

class LockServer {
 public:
  virtual ~LockServer() = default;
  virtual void start(const ServerPlace& place) = 0;
  virtual void prepare(const std::string& lock) = 0;
  virtual void watch() = 0;  // HarnessError when it has ended by itself
  virtual void stop() = 0;

  virtual std::string version() = 0;  // "Redis 7.0.15"
  virtual Door door() const = 0;      // where a probe asks

  // A client's connection, by the number that it reads from the server.
  virtual void end_connection(std::uint64_t connection) = 0;
  virtual bool connection_alive(std::uint64_t connection) = 0;
};

std::unique_ptr<LockServer> make_lock_server(const Plan& plan);

}  // namespace holdfast
