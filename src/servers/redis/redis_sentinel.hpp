// The lock's service is a Redis primary with two asynchronous replicas, each on a node of its own with a Sentinel
// beside it. When two Sentinels agree that the primary is gone, they make a replica the primary; clients ask a Sentinel
// where it is (redis_routes.hpp).
//
// The servers are given what they would know after some time: the replicas whom they follow, the Sentinels each other
// and the replicas. So none waits for another's announcement. Sentinel's own time-outs are shortened, so that trials
// stay short: a server that is silent for a second counts as gone, and a failover that does not get on is tried anew
// after three. What is not shortened: a Sentinel asks who is whose replica every ten seconds, so that a primary which
// was deposed while it was cut off stays one for up to about that long after it is back.
//
// A server that was killed starts again on the settings that Sentinel had it write down, as in a service of one's own.
//
// What it does not do: a Sentinel itself is not struck but with its node (server_partition); a server that loses power
// leaves the Sentinel beside it running.
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
  // As the server's Sentinel sees it: who is there and not taken for lost. It serves if it is the primary that its
  // Sentinel names, or follows it.
  std::optional<ClusterView> view_of(std::uint32_t server) override;

 private:
  void wait_until_whole();

  std::vector<std::unique_ptr<TrialServer>> sentinels_;
};

}  // namespace holdfast
