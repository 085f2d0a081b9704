// The lock's server is a Redis server of the trial's own, on the lock's address.
#pragma once

#include <string>
#include <vector>

#include "lab/process.hpp"
#include "runner/lock_server.hpp"
#include "store/redis_connection.hpp"

namespace holdfast {

class RedisLockServer : public LockServer {
 public:
  explicit RedisLockServer(const ServerPlace& place);
  void prepare(const std::string& lock) override;
  std::string version() override;
  Door door() const override { return kRedisDoor; }
  void end_connection(std::uint64_t connection, std::uint32_t server) override;
  bool connection_alive(std::uint64_t connection, std::uint32_t server) override;

  Durability durability() const override;
  void leave_mark(std::int64_t n) override;
  std::optional<bool> mark_kept(std::int64_t n) override;
  std::optional<ServerTime> clock() override;

 protected:
  // HarnessError when it does not answer.
  static Reply ask(const std::vector<std::string>& command, const std::string& host = kLockAddress);
  static std::optional<bool> mark_kept_at(const std::string& host, std::int64_t n);

 private:
  std::string log_;
  std::string persistence_;
};

}  // namespace holdfast
