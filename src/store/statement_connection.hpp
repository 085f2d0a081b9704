// A connection to a lock's server that runs the lock's statements by name, whatever the server is: what a Session needs
// of it. One implementation a kind of server (src/servers).
//
//   auto db = find_server_type("redis").connect(lock_file("redis_token"), access);
//   Reply r = db->run("acquire", {{"key", "orders"}, {"owner", owner}, {"ttl_ms", std::int64_t{2000}}});
//
// Errors as in session.hpp: a server's error is in the reply; no answer throws StatementFailed.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/session.hpp"

namespace holdfast {

class StatementConnection {
 public:
  virtual ~StatementConnection() = default;
  virtual void connect() = 0;  // if need be; StatementFailed (definite): nothing was sent
  virtual Reply run(std::string_view statement, Params params) = 0;
  virtual void close() = 0;
  virtual std::uint64_t id() const = 0;  // the server's number for the connection; 0: not connected
};

}  // namespace holdfast
