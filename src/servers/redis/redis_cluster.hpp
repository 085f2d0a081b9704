// The lock's service is a Redis Cluster: three primaries, which share the keys by hash slot, and a replica of each, all
// on their own nodes. If a primary is gone for longer than the cluster's time-out, here two seconds, the other
// primaries elect its replica in its place; a primary that is cut off from them stops serving after about the same
// time.
//
//   server  0       1           2            3 4 5
//   slots   0-5460  5461-10922  10923-16383  the replicas of 0, 1 and 2
//
// Nodes start with the state of an existing cluster, so they need not be introduced to each other; they serve after
// about two seconds, as after any start (Redis waits that long so that a restarted primary does not serve before it
// learns of its successor).
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
  // The server's view: members that exist and are not considered failed. It serves if the cluster does, as far as it
  // knows, and it is a primary or follows one.
  std::optional<ClusterView> view_of(std::uint32_t server) override;

 private:
  void wait_until_whole();
};

// A node's file with its knowledge of the cluster, in Redis's own form.
std::string cluster_state(std::uint32_t own, std::uint32_t servers);

}  // namespace holdfast
