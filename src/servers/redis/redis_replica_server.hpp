// The lock's server is a Redis primary with an asynchronous replica, each on a node of its own. The replica can be
// promoted; that it then has the lock's address is the network's affair.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "servers/redis/redis_lock_server.hpp"

namespace holdfast {

class RedisReplicaServer : public RedisLockServer, public Replication {
 public:
  explicit RedisReplicaServer(const ServerConfig& config);
  void prepare(const StatementFile& statements) override;
  std::vector<TrialServer*> processes() override { return {&process(), &replica_}; }
  TrialServer& serving() override { return promoted_ ? replica_ : process(); }
  Replication* replication() override { return this; }

  std::optional<bool> replica_has_canary(std::int64_t n) override;
  void promote_replica() override;
  bool replica_is_primary() override;

 private:
  std::string log_;  // the replica's
  TrialServer replica_;
  std::atomic<bool> promoted_{false};
};

}  // namespace holdfast
