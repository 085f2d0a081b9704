// The lock's service is a Redis primary with two asynchronous replicas, each on its own node with a Sentinel. When two
// Sentinels agree that the primary is gone, they promote a replica; clients ask a Sentinel for its address
// (redis_routes.hpp).
//
// Servers start with what they would know after some time: replicas know their primary, and Sentinels know each other
// and the replicas, so there are no waits for announcements. Sentinel's time-outs are shortened to keep trials short: a
// server that is silent for a second counts as gone, and a failover without progress is retried after three. Not
// shortened: Sentinels ask for the replicas of each server every ten seconds, so a primary that was replaced during a
// cut stays a primary for up to about that long after it returns.
//
// A killed server restarts with the settings that Sentinel made it write, as in production.
//
// Limits: a Sentinel itself is struck only together with its node (server_partition); a server that loses power leaves
// the Sentinel beside it running.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "servers/redis/redis_servers.hpp"

namespace holdfast {

class RedisSentinelServer : public RedisServers, public Cluster {
 public:
  explicit RedisSentinelServer(const ServerConfig& config);

  std::vector<TrialServer*> processes() override;  // the Redis servers first
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  Cluster* cluster() override { return this; }
  // The view of the server's Sentinel: members that exist and are not considered failed. It serves if it is the primary
  // named by its Sentinel, or follows it.
  std::optional<ClusterView> view_of(std::uint32_t server) override;

 private:
  void wait_until_whole();

  std::vector<std::unique_ptr<TrialServer>> sentinels_;
};

}  // namespace holdfast
