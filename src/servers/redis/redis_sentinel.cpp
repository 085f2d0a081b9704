#include "servers/redis/redis_sentinel.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "servers/redis/redis_routes.hpp"
#include "servers/redis/start_redis.hpp"

namespace holdfast {
namespace {

constexpr int kSentinelLook_ms = 20;
constexpr int kSentinelsFormed_ms = 20'000;
constexpr ReadinessProbe kSentinelProbe{kSentinelPort, "PING\r\n", 5,
                                        [](std::string_view answer) { return answer == "+PONG"; }};

std::string sentinel_name(std::uint32_t server) {
  return "sentinel" + (server == 0 ? std::string() : "-" + std::to_string(server));
}

std::string sentinel_id(std::uint32_t server) {
  return std::string(39, '0') + std::to_string(server + 1);
}

std::string sentinel_config(std::uint32_t own, std::uint32_t servers) {
  const std::string name = kSentinelName;
  std::string out = "port " + std::to_string(kSentinelPort) + "\nbind 0.0.0.0\nprotected-mode no\nsentinel myid " +
                    sentinel_id(own) + "\nsentinel monitor " + name + " " + kLockAddress + " " +
                    std::to_string(kRedisPort) + " 2\nsentinel down-after-milliseconds " + name +
                    " 1000\nsentinel failover-timeout " + name + " 3000\nsentinel parallel-syncs " + name + " 2\n";
  for (std::uint32_t other = 0; other < servers; ++other) {
    const std::string address = kServerAddresses.at(other);
    if (other > 0) out += "sentinel known-replica " + name + " " + address + " " + std::to_string(kRedisPort) + "\n";
    if (other == own) continue;
    out += "sentinel known-sentinel " + name + " " + address + " " + std::to_string(kSentinelPort) + " " +
           sentinel_id(other) + "\n";
  }
  return out;
}

// The first server is the primary, others are replicas. The server writes later changes of its primary to this file.
std::string redis_config(std::uint32_t server) {
  return server == 0 ? "" : std::string("replicaof ") + kLockAddress + " " + std::to_string(kRedisPort) + "\n";
}

class SentinelRedis : public RedisLockServer {
 public:
  using RedisLockServer::RedisLockServer;
  // A failover loses what was not replicated.
  Durability durability() const override { return Durability::may_be_lost; }
  Durability durability_without_power() const override { return Durability::may_be_lost; }
  // A replica gets it from its primary.
  void leave_canary(std::int64_t n) override {
    const Reply role = ask_lock({"ROLE"});
    const bool follows = role.rows.size() > 1 && role.field(0, 0) == "slave";
    leave_canary_at(follows ? role.text(1, 0) : address().host, n);
  }
};

// Alternating names and values; for several items one after the other.
std::vector<std::string> all_called(const Reply& reply, const std::string& name) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i + 1 < reply.rows.size(); i += 2) {
    if (reply.field(i, 0) == name) out.push_back(reply.field(i + 1, 0).value_or(""));
  }
  return out;
}

std::string one_called(const Reply& reply, const std::string& name) {
  const auto all = all_called(reply, name);
  return all.empty() ? "" : all.front();
}

bool is_there(const std::string& flags) {
  return flags.find("down") == std::string::npos && flags.find("disconnected") == std::string::npos;
}

bool serves_under(const std::string& primary, const std::string& host) {
  const auto said = ask_redis(host, kRedisPort, {"INFO", "replication"});
  if (!said) return false;
  if (primary == host) return said_by_redis(*said, "role") == "master";
  return said_by_redis(*said, "role") == "slave" && said_by_redis(*said, "master_host") == primary &&
         said_by_redis(*said, "master_link_status") == "up";
}

}  // namespace

RedisSentinelServer::RedisSentinelServer(const ServerConfig& config)
    : RedisServers(config, [&config](std::uint32_t server, RedisPlace place) {
        place.config = write_redis_config(place.data, redis_config(server));
        return std::make_unique<SentinelRedis>(config, place);
      }) {
  for (std::uint32_t server = 0; server < count(); ++server) {
    const std::string name = sentinel_name(server);
    RedisSpec spec;
    spec.data = config.folder + "/lab/" + name;
    spec.log = config.folder + "/" + name + ".log";
    spec.network = config.networks.at(server);
    spec.config = write_redis_config(spec.data, sentinel_config(server, count()));
    sentinels_.push_back(std::make_unique<TrialServer>([spec] { return start_sentinel(spec); }));
  }
}

std::vector<TrialServer*> RedisSentinelServer::processes() {
  std::vector<TrialServer*> out = RedisServers::processes();
  for (const auto& sentinel : sentinels_) out.push_back(sentinel.get());
  return out;
}

void RedisSentinelServer::prepare(const StatementFile& statements) {
  RedisServers::prepare(statements);
  for (std::uint32_t server = 0; server < count(); ++server) {
    const std::string log = folder() + "/" + sentinel_name(server) + ".log";
    sentinels_[server]->when_started([&](Process& process) {
      wait_for_answer(kServerAddresses.at(server), kSentinelProbe, process, log, kServerStart_ms);
    });
  }
  wait_until_whole();
}

void RedisSentinelServer::wait_until_whole() {
  const auto whole = [this] {
    for (std::uint32_t server = 0; server < count(); ++server) {
      const std::string host = kServerAddresses.at(server);
      const auto view = view_of(server);
      if (!view || !view->serves || view->members != count()) return false;
      if (!ask_redis(host, kSentinelPort, {"SENTINEL", "CKQUORUM", kSentinelName})) return false;
    }
    return true;
  };
  if (poll_until(whole, kSentinelLook_ms, after_ms(kSentinelsFormed_ms))) return;
  throw HarnessError("the Redis servers and their Sentinels did not form a group; see " + folder() +
                     "/sentinel.log and redis-1.log");
}

std::string RedisSentinelServer::version() {
  return one(0).version() + " (Sentinel, a primary and 2 replicas)";
}

std::optional<ClusterView> RedisSentinelServer::view_of(std::uint32_t server) {
  const std::string host = kServerAddresses.at(server);
  const auto primary = ask_redis(host, kSentinelPort, {"SENTINEL", "MASTER", kSentinelName});
  const auto replicas = ask_redis(host, kSentinelPort, {"SENTINEL", "REPLICAS", kSentinelName});
  if (!primary || !replicas) return std::nullopt;
  ClusterView out;
  out.members = is_there(one_called(*primary, "flags")) ? 1 : 0;
  for (const auto& flags : all_called(*replicas, "flags")) out.members += is_there(flags) ? 1 : 0;
  out.serves = serves_under(one_called(*primary, "ip"), host);
  const std::string epoch = one_called(*primary, "config-epoch");
  out.changes = epoch.empty() ? 0 : std::stoull(epoch);
  return out;
}

}  // namespace holdfast
