// The lock's server is the trial's MariaDB, the same process that serves the resource, on the lock's address.
#pragma once

#include "runner/lock_server.hpp"
#include "store/mysql_connection.hpp"

namespace holdfast {

class MySqlLockServer : public LockServer {
 public:
  void start(const ServerPlace&) override {}  // with the resource's
  void prepare(const std::string& lock) override;
  void watch() override {}
  void stop() override {}
  std::string version() override;
  Door door() const override { return {}; }
  void end_connection(std::uint64_t connection) override;
  bool connection_alive(std::uint64_t connection) override;
};

}  // namespace holdfast
