// The lock's service is a Redis Cluster: three primaries, which share the keys by their hash slots, and a replica of
// each, all on nodes of their own. A replica whose primary is gone for longer than the cluster's time-out, two seconds
// here, is elected in its place by the other primaries; a primary that is cut off from them stops serving about as
// late.
//
//   server  0       1           2            3 4 5
//   slots   0-5460  5461-10922  10923-16383  the replicas of 0, 1 and 2
//
// The nodes are given the state of a cluster that was there before, so that
// none has to be introduced to the others; they serve about two seconds later, as after any start (Redis waits so long
// lest a primary that was restarted serves before it has heard of its successor).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "servers/redis/redis_servers.hpp"

namespace holdfast {

class RedisClusterServer : public RedisServers, public Cluster {
 public:
  explicit RedisClusterServer(const ServerConfig& config);

  void prepare(const StatementFile& statements) override;
  std::string version() override;
  Cluster* cluster() override { return this; }
  // As the server sees it: who is there and not taken for lost. It serves if the cluster does, as far as it knows, and
  // it is a primary or follows one.
  std::optional<ClusterView> view_of(std::uint32_t server) override;

 private:
  void wait_until_whole();
};

// A node's file of what it knows of the cluster, as Redis itself keeps it.
std::string cluster_state(std::uint32_t own, std::uint32_t servers);

}  // namespace holdfast
