// Addresses and settings by which a client process reaches the lock's server and the protected resource.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/event.hpp"
#include "lab/process.hpp"
#include "servers/target.hpp"
#include "store/session.hpp"

namespace holdfast {

struct ClientAccess {
  std::string host;                // the lab's address of its lock's server
  std::string topology;            // of the lock service there
  std::vector<std::string> hosts;  // all its servers, by number, in a topology whose clients know them all
  std::optional<Target> target;    // replaces it: a server of the user's own
  std::int64_t wait_ms = 0;        // how long a statement may wait at the server by design
  std::string variant;             // of the connection: one of the server type's; empty: the plain one
  // Settings of the session, for servers that have them.
  std::string time_zone;     // "+02:00"
  std::string isolation;     // "read_committed"; empty: the server's own
  std::string replica_host;  // server for reads behind a splitter; empty: none
};

struct ResourceAccess {
  std::string host;              // in the lab
  std::string socket;            // a path, used instead of the host
  std::optional<Target> target;  // replaces both: a server of the user's own that can hold the resource
};

// The protected resource: rows that clients read and write while they hold a lock, and a log of all accepted writes
// (sql/resource.sql). Holding it is a capability of a kind of server; for kinds without it, a server of another kind is
// started as well.

// The runner's side: creates it before the load, and reads its log afterwards.
class ResourceStore {
 public:
  virtual ~ResourceStore() = default;
  // Waits until a server started for it in the lab answers, then creates its database there. Throws HarnessError.
  virtual void wait_for(Process& server, const std::string& log) = 0;
  virtual void make_database() = 0;                                     // on a running server of the lab
  virtual void prepare(std::int64_t keys) = 0;                          // one row per key
  virtual std::vector<Event> accepted_writes(std::int64_t now_ns) = 0;  // in commit order
};

// A server in the lab that holds only the resource.
struct ResourceServer {
  std::string data;  // an existing, empty directory
  std::string log;
  int network = -1;  // the node's network namespace; -1: no network, it listens on a socket in its directory
  std::size_t connections = 100;
};

struct ResourceHolder {
  Process (*start)(const ResourceServer& server) = nullptr;
  // Path of its socket for a process that has the directory open as this descriptor.
  std::string (*socket)(int directory) = nullptr;
  std::unique_ptr<ResourceStore> (*open)(const ResourceAccess& access) = nullptr;
  std::unique_ptr<StatementConnection> (*connect)(const ResourceAccess& access) = nullptr;  // a client's
};

}  // namespace holdfast
