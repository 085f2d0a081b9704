#include "servers/redis/redis_lock_server.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "servers/redis/start_redis.hpp"

namespace holdfast {
namespace {

constexpr int kCommandPatience_ms = 5'000;
constexpr const char* kCanary = "holdfast:canary";
constexpr const char* kProbe = "holdfast:probe";

std::string redis_log(const ServerConfig& config, const RedisPlace& place) {
  return config.folder + "/" + place.name + ".log";
}

RedisAddress in_lab(const std::string& host) {
  RedisAddress address;
  address.host = host;
  address.port = kRedisPort;
  address.timeout_ms = kCommandPatience_ms;
  return address;
}

// "id=7 addr=... " for a connection, empty for none.
std::string first_text(const Reply& reply) {
  return reply.rows.empty() ? "" : reply.field(0, 0).value_or("");
}

constexpr int kReplicaLook_ms = 10;

std::string replica_log(const ServerConfig& config) {
  return config.folder + "/redis-replica.log";
}

bool says(const Reply& reply, const std::string& line) {
  return reply.ok() && !reply.rows.empty() && reply.field(0, 0).value_or("").find(line) != std::string::npos;
}

}  // namespace

RedisLockServer::RedisLockServer(const ServerConfig& config)
    : RedisLockServer(config,
                      {.network = config.network, .clock = config.clock, .data = config.place_of_data() + "/redis"}) {}

RedisLockServer::RedisLockServer(const ServerConfig& config, const RedisPlace& place)
    : LockServer([config, place] {
        return start_redis({.data = place.data,
                            .log = redis_log(config, place),
                            .network = place.network,
                            .persistence = redis_persistence(config.settings),
                            .clock = place.clock,
                            .config = place.config});
      }),
      address_(in_lab(place.host)),
      log_(redis_log(config, place)),
      persistence_(redis_persistence(config.settings)) {}

RedisLockServer::RedisLockServer(RedisAddress address) : LockServer(not_ours()), address_(std::move(address)) {
  address_.timeout_ms = kCommandPatience_ms;
}

void RedisLockServer::prepare(const StatementFile&) {
  process().when_started(
      [this](Process& process) { wait_for_answer(address_.host, kRedisProbe, process, log_, kServerStart_ms); });
}

Reply RedisLockServer::ask(const std::vector<std::string>& command, const std::string& host) {
  return ask_at(in_lab(host), command);
}

Reply RedisLockServer::ask_at(const RedisAddress& address, const std::vector<std::string>& command) {
  try {
    return RedisConnection(address).command(command);
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the Redis server: ") + failed.what());
  }
}

std::string RedisLockServer::version() {
  const std::string info = first_text(ask_lock({"INFO", "server"}));
  // Valkey also reports the Redis version that it is compatible with.
  for (const auto& [key, name] : {std::pair{"valkey_version:", "Valkey"}, std::pair{"redis_version:", "Redis"}}) {
    const auto at = info.find(key);
    if (at == std::string::npos) continue;
    const auto begin = at + std::string(key).size();
    return std::string(name) + " " + info.substr(begin, info.find_first_of("\r\n", at) - begin);
  }
  return "Redis";
}

// Killing a connection that is already gone counts 0 and is not an error.
void RedisLockServer::end_connection(std::uint64_t connection, std::uint32_t) {
  const Reply reply = ask_lock({"CLIENT", "KILL", "ID", std::to_string(connection)});
  if (!reply.ok()) throw HarnessError("CLIENT KILL: " + reply.message);
}

bool RedisLockServer::connection_alive(std::uint64_t connection, std::uint32_t) {
  const Reply reply = ask_lock({"CLIENT", "LIST", "ID", std::to_string(connection)});
  if (!reply.ok()) throw HarnessError("CLIENT LIST: " + reply.message);
  return !first_text(reply).empty();
}

// A kill is not a power loss: data given to the kernel survives, and the log is given to it before the answer.
Durability RedisLockServer::durability() const {
  if (persistence_ == "none") return Durability::may_be_lost;
  return persistence_ == "aof_everysec" ? Durability::kept_unless_busy : Durability::kept;
}

Durability RedisLockServer::durability_without_power() const {
  return persistence_ == "aof_always" ? Durability::kept : Durability::may_be_lost;
}

void RedisLockServer::leave_canary(std::int64_t n) {
  leave_canary_at(address_.host, n);
}

void RedisLockServer::leave_canary_at(const std::string& host, std::int64_t n) {
  const Reply reply = ask({"SET", kCanary, std::to_string(n)}, host);
  if (!reply.ok()) throw HarnessError("the canary cannot be written: " + reply.message);
}

std::optional<bool> RedisLockServer::canary_kept(std::int64_t n) {
  return canary_kept_at(address_.host, n);
}

std::optional<bool> RedisLockServer::canary_kept_at(const std::string& host, std::int64_t n) {
  try {
    const Reply reply = RedisConnection(in_lab(host)).command({"GET", kCanary});
    if (!reply.ok()) return std::nullopt;  // it is still reading its log
    return first_text(reply) == std::to_string(n);
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

void RedisLockServer::drop_entries() {
  const Reply reply = ask_lock({"FLUSHALL"});
  if (!reply.ok()) throw HarnessError("FLUSHALL: " + reply.message);
}

// It has no replica, and while one is required it answers each write with an error (NOREPLICAS).
void RedisLockServer::refuse_writes(bool refuse) {
  const Reply reply = ask_lock({"CONFIG", "SET", "min-replicas-to-write", refuse ? "1" : "0"});
  if (!reply.ok()) throw HarnessError("CONFIG SET min-replicas-to-write: " + reply.message);
}

std::optional<bool> RedisLockServer::takes_writes() {
  try {
    return RedisConnection(address_).command({"SET", kProbe, "1"}).ok();
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

std::optional<ServerTime> RedisLockServer::clock() {
  try {
    RedisConnection db(address_);
    db.connect();
    ServerTime out;
    out.asked_ns = host_wall_ns();
    const Reply reply = db.command({"TIME"});
    out.answered_ns = host_wall_ns();
    if (!reply.ok()) throw HarnessError("the server's clock cannot be read: " + reply.message);
    out.server_ns = reply.number(0, 0) * 1'000'000'000 + reply.number(1, 0) * 1'000;
    return out;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

RedisReplicaServer::RedisReplicaServer(const ServerConfig& config)
    : RedisLockServer(config), log_(replica_log(config)), replica_([config] {
        return start_redis({config.folder + "/lab/redis-replica", replica_log(config), config.replica_network,
                            redis_persistence(config.settings)});
      }) {}

// Replication starts only when both servers run: after a refused connection the replica would wait a second.
void RedisReplicaServer::prepare(const StatementFile& statements) {
  RedisLockServer::prepare(statements);
  replica_.when_started(
      [this](Process& process) { wait_for_answer(kReplicaAddress, kRedisProbe, process, log_, kServerStart_ms); });
  const Reply told = ask({"REPLICAOF", kLockAddress, std::to_string(kRedisPort)}, kReplicaAddress);
  if (!told.ok()) throw HarnessError("the replica cannot be set up: " + told.message);
  const auto follows = [&] { return says(ask({"INFO", "replication"}, kReplicaAddress), "master_link_status:up"); };
  if (poll_until(follows, kReplicaLook_ms, after_ms(kServerStart_ms))) return;
  throw HarnessError("the Redis replica does not follow its primary; see " + log_);
}

std::optional<bool> RedisReplicaServer::replica_has_canary(std::int64_t n) {
  return canary_kept_at(kReplicaAddress, n);
}

void RedisReplicaServer::promote_replica() {
  const Reply reply = ask({"REPLICAOF", "NO", "ONE"}, kReplicaAddress);
  if (!reply.ok()) throw HarnessError("the replica cannot be promoted: " + reply.message);
  promoted_ = true;
}

bool RedisReplicaServer::replica_is_primary() {
  try {
    return promoted_ && says(ask({"INFO", "replication"}), "role:master");
  } catch (const HarnessError&) {
    return false;  // the address has not moved yet
  }
}

}  // namespace holdfast
