// A lock service of several Redis servers, each on its own node, which can be struck individually.
//
//   quorum      five independent ones: each client uses all (redis_routes.hpp)
//   sentinel    a primary and two replicas, watched by a Sentinel on each node (redis_sentinel.hpp)
//   cluster     three primaries with a replica each (redis_cluster.hpp)
//
// Questions to the service as a whole are answered by the first.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "servers/lock_server.hpp"
#include "servers/redis/redis_lock_server.hpp"

namespace holdfast {

class RedisServers : public LockServer {
 public:
  explicit RedisServers(const ServerConfig& config);  // one per node, independent of each other

  LockServer& one(std::uint32_t server) override { return *servers_.at(server); }
  std::vector<TrialServer*> processes() override;
  TrialServer& serving() override { return servers_.front()->process(); }
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  ReadinessProbe readiness() const override { return kRedisProbe; }
  void end_connection(std::uint64_t connection, std::uint32_t server) override;
  bool connection_alive(std::uint64_t connection, std::uint32_t server) override;

  Durability durability() const override { return servers_.front()->durability(); }
  Durability durability_without_power() const override { return servers_.front()->durability_without_power(); }
  void leave_canary(std::int64_t n) override { servers_.front()->leave_canary(n); }
  std::optional<bool> canary_kept(std::int64_t n) override { return servers_.front()->canary_kept(n); }
  std::optional<ServerTime> clock() override { return servers_.front()->clock(); }

 protected:
  using Make = std::function<std::unique_ptr<RedisLockServer>(std::uint32_t server, const RedisPlace& place)>;
  RedisServers(const ServerConfig& config, const Make& make);
  std::uint32_t count() const { return static_cast<std::uint32_t>(servers_.size()); }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;  // of the trial
  std::vector<std::unique_ptr<RedisLockServer>> servers_;
};

// Writes a file of settings to that folder, which is created if missing, and returns its path.
std::string write_redis_config(const std::string& folder, const std::string& text);

// A value of a server's report, "key:value" per line (INFO, CLUSTER INFO); empty: no such key.
std::string said_by_redis(const Reply& reply, const std::string& key);

// Sends one question to a server in the lab that may not answer. Empty: no answer, or an error.
std::optional<Reply> ask_redis(const std::string& host, int port, const std::vector<std::string>& command);

}  // namespace holdfast
