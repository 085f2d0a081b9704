// The protected resource: rows that clients read and write while they hold a lock, and a log of every write that was
// accepted (sql/resource.sql). Holding it is a capability of a kind of server; of one that lacks it, a server of
// another kind stands beside.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "history/event.hpp"
#include "lab/process.hpp"
#include "servers/client_access.hpp"
#include "store/statement_connection.hpp"

namespace holdfast {

// As the runner has it: made before the load, its log read after it.
class ResourceStore {
 public:
  virtual ~ResourceStore() = default;
  // Until a server of the lab's, which was started for it, answers; then makes its database there. HarnessError.
  virtual void wait_for(Process& server, const std::string& log) = 0;
  virtual void make_database() = 0;                                     // on a server of the lab's that answers already
  virtual void prepare(std::int64_t keys) = 0;                          // one row a key
  virtual std::vector<Event> accepted_writes(std::int64_t now_ns) = 0;  // in order of commitment
};

// A server in the lab that holds nothing else.
struct ResourceServer {
  std::string data;  // an existing, empty directory
  std::string log;
  int network = -1;  // the node's network namespace; -1: no network, it listens on a socket in its directory
  std::size_t connections = 100;
};

struct ResourceHolder {
  Process (*start)(const ResourceServer& server) = nullptr;
  // The path of its socket, for a process that has the directory open as this descriptor.
  std::string (*socket)(int directory) = nullptr;
  std::unique_ptr<ResourceStore> (*open)(const ResourceAccess& access) = nullptr;
  std::unique_ptr<StatementConnection> (*connect)(const ResourceAccess& access) = nullptr;  // a client's
};

}  // namespace holdfast
