// The lock's server is a Redis server of the trial's own, on the lock's address.
#pragma once

#include <string>

#include "lab/process.hpp"
#include "runner/lock_server.hpp"
#include "store/redis_connection.hpp"

namespace holdfast {

class RedisLockServer : public LockServer {
 public:
  explicit RedisLockServer(std::string persistence) : persistence_(std::move(persistence)) {}
  void start(const ServerPlace& place) override;
  void prepare(const std::string& lock) override;
  void watch() override;
  void stop() override;
  std::string version() override;
  Door door() const override { return {kRedisPort, "PING\r\n"}; }
  void end_connection(std::uint64_t connection) override;
  bool connection_alive(std::uint64_t connection) override;

 private:
  static Reply ask(const std::vector<std::string>& command);  // HarnessError when it does not answer

  std::string persistence_;
  std::string log_;
  Process process_;
};

}  // namespace holdfast
