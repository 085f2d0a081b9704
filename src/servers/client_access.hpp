// How a client process reaches what it uses: the lock's server, and the protected resource.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "servers/target.hpp"

namespace holdfast {

struct ClientAccess {
  std::string host;              // of its lock's server in the lab
  std::optional<Target> target;  // in its place: a server of the user's own
  std::int64_t wait_ms = 0;      // how long a statement may lie at the server by design
  std::string variant;           // of the connection: one of the server type's; empty: the plain one
  // Of the session, where the server has such things.
  std::string time_zone;     // "+02:00"
  std::string isolation;     // "read_committed"; empty: the server's own
  std::string replica_host;  // where a splitter sends what reads; empty: there is none
};

struct ResourceAccess {
  std::string host;              // in the lab
  std::string socket;            // a path, in place of the host
  std::optional<Target> target;  // in place of both: a server of the user's own, where it can hold the resource
};

}  // namespace holdfast
