// Redis, and servers with its protocol (Valkey). The lab starts the installed Redis, or the server named by --server
// redis-server=PATH.
#include <algorithm>

#include "artifact/shell_command.hpp"
#include "servers/redis/redis_cluster.hpp"
#include "servers/redis/redis_file.hpp"
#include "servers/redis/redis_lock_server.hpp"
#include "servers/redis/redis_routes.hpp"
#include "servers/redis/redis_sandbox.hpp"
#include "servers/redis/redis_sentinel.hpp"
#include "servers/redis/redis_servers.hpp"
#include "servers/redis/redis_store.hpp"
#include "servers/redis/start_redis.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

std::string_view embedded_redis(std::string_view name);
std::string_view embedded_redis_schedule(std::string_view name);

namespace {

constexpr std::int64_t kTimeout_ms = 2000;

std::vector<std::string> names(const StatementFile& file) {
  return RedisFile::parse(file).names();
}

std::vector<std::string> parameters(const StatementFile& file, std::string_view statement) {
  return RedisFile::parse(file).parameters(statement);
}

std::string wrong_with(const Target& target) {
  constexpr std::size_t kMostDigits = 6;
  const bool digits = target.database.find_first_not_of("0123456789") == std::string::npos;
  const bool number = digits && !target.database.empty() && target.database.size() <= kMostDigits;
  return number ? "" : "the part after the host is not the number of a Redis database";
}

std::unique_ptr<StatementConnection> connect_to_all(const StatementFile& file, const ClientAccess& access) {
  std::vector<RedisAddress> servers;
  for (const std::string& host : access.hosts) {
    RedisAddress address;
    address.host = host;
    address.port = kRedisPort;
    address.timeout_ms = kQuorumPatience_ms + access.wait_ms;
    servers.push_back(address);
  }
  return std::make_unique<QuorumStatements>(servers, RedisFile::parse(file));
}

// The client's own first.
std::vector<std::string> in_its_order(const ClientAccess& access) {
  std::vector<std::string> out = access.hosts;
  const auto own = std::find(out.begin(), out.end(), access.host);
  if (own != out.end()) std::rotate(out.begin(), own, out.end());
  return out;
}

std::unique_ptr<StatementConnection> connect(const StatementFile& file, const ClientAccess& access) {
  RedisAddress address;
  address.host = access.host;
  address.port = kRedisPort;
  if (access.target) address = redis_address(*access.target);
  address.timeout_ms = kTimeout_ms + access.wait_ms;
  RedisFile commands = RedisFile::parse(file);
  if (access.target) return std::make_unique<RedisStatements>(address, std::move(commands));
  if (access.topology == "quorum") return connect_to_all(file, access);
  if (access.topology == "sentinel") {
    return std::make_unique<SentinelStatements>(in_its_order(access), address, std::move(commands));
  }
  if (access.topology == "cluster") {
    return std::make_unique<ClusterStatements>(in_its_order(access), address, std::move(commands));
  }
  return std::make_unique<RedisStatements>(address, std::move(commands));
}

std::unique_ptr<LockServer> start(const ServerConfig& config) {
  const std::string& topology = config.settings.topology;
  if (topology == "replica") return std::make_unique<RedisReplicaServer>(config);
  if (topology == "quorum") return std::make_unique<RedisServers>(config);
  if (topology == "sentinel") return std::make_unique<RedisSentinelServer>(config);
  if (topology == "cluster") return std::make_unique<RedisClusterServer>(config);
  return std::make_unique<RedisLockServer>(config);
}

std::unique_ptr<LockServer> on_target(const Target& target) {
  return std::make_unique<RedisTargetServer>(target);
}

std::unique_ptr<Sandbox> sandbox(const Target& target, const std::string& run) {
  auto out = std::make_unique<RedisSandbox>(target, run);
  if (!run.empty()) out->begin();
  return out;
}

std::string client_command(const Target& target) {
  const Security& security = target.security;
  ShellCommand out("redis-cli");
  out.flag("-h", target.host).literal("-p").word(std::to_string(target.port));
  if (!target.user.empty()) out.literal("--user").word(target.user);
  if (security.tls) out.literal("--tls");
  if (!security.ca.empty()) out.flag("--cacert", security.ca);
  return out.literal("--askpass ping").text();
}

}  // namespace

extern const ServerType server_redis;
const ServerType server_redis{
    .title = "Redis",
    .about = "Redis or a compatible server: commands",
    .form = {.folder = "redis",
             .comment = "#",
             .fence = "sh",
             .text = embedded_redis,
             .lease_line = "redis-cli SET \"$key\" \"$owner\" NX PX \"$ttl_ms\"",
             .names = names,
             .parameters = parameters},
    .topologies =
        {{.name = "single", .about = "one server"},
         {.name = "replica", .about = "Redis with an asynchronous replica", .replica = true, .was = "redis_replica"},
         {.name = "quorum",
          .about = "five independent Redis servers; a client uses all of them",
          .servers = 5,
          .all_known = true,
          .independent = true},
         {.name = "sentinel",
          .about = "a Redis primary, two replicas and three Sentinels that promote a replica",
          .servers = 3,
          .all_known = true},
         {.name = "cluster",
          .about = "a Redis Cluster: three primaries with a replica each",
          .servers = 6,
          .all_known = true}},
    .programs = {{.name = "redis-server"}},
    .settings = kRedisSettings,
    .check = [](const ServerSettings& settings) { redis_persistence(settings); },
    .url = {.scheme = "redis",
            .tls_scheme = "rediss",
            .port = kRedisPort,
            .database = "0",
            .form = "redis://host:port/number",
            .wrong = wrong_with},
    .login = {.port = kRedisPort, .database = "0"},
    .suite = "scenarios/redis_server",
    .protocol = "resp",
    .readiness = kRedisProbe,
    .refuses_writes = true,
    .drops_entries = true,
    .names_keys = true,
    .plain_lock = "redis_token",
    .connect = connect,
    .start = start,
    .on_target = on_target,
    .sandbox = sandbox,
    .client_command = client_command,
    .explore = explore_redis,
    .script = {.shell = "bash",
               .options = "the options of redis-cli: -p 6379",
               .functions = [] { return std::string(embedded_redis_schedule("schedule.sh")); },
               .by_words = true},
};

}  // namespace holdfast
