#include "servers/redis/redis_cluster.hpp"

#include <array>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/poll_until.hpp"
#include "servers/redis/redis_routes.hpp"
#include "servers/redis/start_redis.hpp"

namespace holdfast {
namespace {

constexpr int kClusterLook_ms = 20;
constexpr int kClusterFormed_ms = 30'000;
constexpr std::uint32_t kPrimaries = 3;
constexpr std::array<const char*, kPrimaries> kSlots{"0-5460", "5461-10922", "10923-16383"};
constexpr const char* kState = "nodes.conf";
constexpr const char* kSettings =
    "cluster-enabled yes\ncluster-config-file nodes.conf\ncluster-node-timeout 2000\ncluster-announce-ip ";

std::string node_id(std::uint32_t server) {
  return std::string(39, 'a') + std::to_string(server + 1);
}

// Keys in a slot of each node's own range, so that a canary can be written to any node.
std::string canary_key(int tag) {
  return "holdfast:canary{" + std::to_string(tag) + "}";
}

class ClusterRedis : public RedisLockServer {
 public:
  using RedisLockServer::RedisLockServer;
  Durability durability() const override { return Durability::may_be_lost; }
  Durability durability_without_power() const override { return Durability::may_be_lost; }

  void leave_canary(std::int64_t n) override {
    if (key_.empty()) key_ = own_key();
    Reply reply = ask_lock({"SET", key_, std::to_string(n)});
    if (const MovedTo there = moved_to(reply); !there.host.empty()) {  // it is a replica
      reply = ask({"SET", key_, std::to_string(n)}, there.host);
    }
    if (!reply.ok()) throw HarnessError("the canary cannot be written: " + reply.message);
  }

  std::optional<bool> canary_kept(std::int64_t n) override {
    try {
      RedisConnection db(address());
      db.command({"READONLY"});
      const Reply reply = db.command({"GET", key_});
      if (!reply.ok()) return std::nullopt;
      return !reply.rows.empty() && reply.field(0, 0) == std::to_string(n);
    } catch (const StatementFailed&) {
      return std::nullopt;
    }
  }

 private:
  std::string own_key() const {
    constexpr int kMostTags = 1000;
    RedisConnection db(address());
    db.command({"READONLY"});
    for (int tag = 0; tag < kMostTags; ++tag) {
      if (db.command({"GET", canary_key(tag)}).ok()) return canary_key(tag);
    }
    throw HarnessError("no key belongs to the server " + address().host);
  }

  std::string key_;
};

}  // namespace

std::string cluster_state(std::uint32_t own, std::uint32_t servers) {
  std::ostringstream out;
  for (std::uint32_t server = 0; server < servers; ++server) {
    const bool primary = server < kPrimaries;
    const std::uint32_t epoch = primary ? server + 1 : server - kPrimaries + 1;
    out << node_id(server) << ' ' << kServerAddresses.at(server) << ':' << kRedisPort << "@1" << kRedisPort << ' '
        << (server == own ? "myself," : "") << (primary ? "master - " : "slave " + node_id(server - kPrimaries) + " ")
        << "0 0 " << epoch << " connected" << (primary ? std::string(" ") + kSlots.at(server) : "") << '\n';
  }
  out << "vars currentEpoch " << kPrimaries << " lastVoteEpoch 0\n";
  return out.str();
}

RedisClusterServer::RedisClusterServer(const ServerConfig& config)
    : RedisServers(config, [&config](std::uint32_t server, RedisPlace place) {
        place.config = write_redis_config(place.data, kSettings + place.host + "\n");
        const auto servers = static_cast<std::uint32_t>(config.networks.size());
        write_text_file(place.data + "/" + kState, cluster_state(server, servers));
        return std::make_unique<ClusterRedis>(config, place);
      }) {}

void RedisClusterServer::prepare(const StatementFile& statements) {
  RedisServers::prepare(statements);
  wait_until_whole();
}

void RedisClusterServer::wait_until_whole() {
  const auto whole = [this] {
    for (std::uint32_t server = 0; server < count(); ++server) {
      const auto view = view_of(server);
      if (!view || !view->serves || view->members != count()) return false;
    }
    return true;
  };
  if (poll_until(whole, kClusterLook_ms, after_ms(kClusterFormed_ms))) return;
  throw HarnessError("the Redis servers did not become one cluster; see " + folder() + "/redis.log");
}

std::string RedisClusterServer::version() {
  return one(0).version() + " (Cluster, 3 primaries and 3 replicas)";
}

std::optional<ClusterView> RedisClusterServer::view_of(std::uint32_t server) {
  const std::string host = kServerAddresses.at(server);
  const auto info = ask_redis(host, kRedisPort, {"CLUSTER", "INFO"});
  const auto nodes = ask_redis(host, kRedisPort, {"CLUSTER", "NODES"});
  const auto replication = ask_redis(host, kRedisPort, {"INFO", "replication"});
  if (!info || !nodes || !replication || nodes->rows.empty()) return std::nullopt;
  ClusterView out;
  std::istringstream lines(nodes->field(0, 0).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const bool lost = line.find("fail") != std::string::npos || line.find("noaddr") != std::string::npos ||
                      line.find("handshake") != std::string::npos;
    out.members += lost ? 0 : 1;
  }
  const bool follows = said_by_redis(*replication, "master_link_status") == "up";
  const bool placed = said_by_redis(*replication, "role") == "master" || follows;
  out.serves = placed && said_by_redis(*info, "cluster_state") == "ok";
  const std::string epoch = said_by_redis(*info, "cluster_current_epoch");
  out.changes = epoch.empty() ? 0 : std::stoull(epoch);
  return out;
}

}  // namespace holdfast
