#include "servers/redis/redis_replica_server.hpp"

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "servers/redis/redis_settings.hpp"
#include "servers/redis/start_redis.hpp"

namespace holdfast {
namespace {

constexpr int kReplicaLook_ms = 10;

std::string replica_log(const ServerConfig& config) {
  return config.folder + "/redis-replica.log";
}

bool says(const Reply& reply, const std::string& line) {
  return reply.ok() && !reply.rows.empty() && reply.field(0, 0).value_or("").find(line) != std::string::npos;
}

}  // namespace

RedisReplicaServer::RedisReplicaServer(const ServerConfig& config)
    : RedisLockServer(config), log_(replica_log(config)), replica_([config] {
        return start_redis({config.folder + "/lab/redis-replica", replica_log(config), config.replica_network,
                            redis_persistence(config.settings)});
      }) {}

// Told whom to follow only now that both are there: after a refused connection it would wait a second.
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
    return false;  // the address is on its way
  }
}

}  // namespace holdfast
