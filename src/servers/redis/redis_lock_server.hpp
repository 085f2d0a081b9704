// A Redis server as the lock's: the trial's own, at the lock's address, or a user's.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "lab/process.hpp"
#include "servers/lock_server.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/redis/start_redis.hpp"

namespace holdfast {

// Location of a trial's own server.
struct RedisPlace {
  std::string name = "redis";  // of its log
  std::string host = kLockAddress;
  int network = -1;  // the node's network namespace
  const ServerClock* clock = nullptr;
  std::string data{};    // its folder, in memory or on a disk that can lose power
  std::string config{};  // a file with further settings; empty: none
};

class RedisLockServer : public LockServer {
 public:
  explicit RedisLockServer(const ServerConfig& config);
  RedisLockServer(const ServerConfig& config, const RedisPlace& place);
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  ReadinessProbe readiness() const override { return kRedisProbe; }
  void end_connection(std::uint64_t connection, std::uint32_t server) override;
  bool connection_alive(std::uint64_t connection, std::uint32_t server) override;

  Durability durability() const override;
  Durability durability_without_power() const override;
  void leave_canary(std::int64_t n) override;
  std::optional<bool> canary_kept(std::int64_t n) override;
  std::optional<ServerTime> clock() override;
  std::string cannot_drop_entries() const override { return ""; }
  void drop_entries() override;
  std::string cannot_refuse_writes() const override { return ""; }
  void refuse_writes(bool refuse) override;
  std::optional<bool> takes_writes() override;

 protected:
  explicit RedisLockServer(RedisAddress address);  // an existing server, not started by holdfast

  const RedisAddress& address() const { return address_; }
  // Throws HarnessError without an answer.
  Reply ask_lock(const std::vector<std::string>& command) const { return ask_at(address_, command); }
  static Reply ask(const std::vector<std::string>& command, const std::string& host = kLockAddress);
  static void leave_canary_at(const std::string& host, std::int64_t n);
  static std::optional<bool> canary_kept_at(const std::string& host, std::int64_t n);

 private:
  static Reply ask_at(const RedisAddress& address, const std::vector<std::string>& command);

  RedisAddress address_;
  std::string log_;
  std::string persistence_;
};

// A user's own server; clients create its keys.
class RedisTargetServer : public RedisLockServer {
 public:
  explicit RedisTargetServer(const Target& target) : RedisLockServer(redis_address(target)) {}
  std::vector<TrialServer*> processes() override { return {}; }
  void prepare(const StatementFile&) override {}
};

// The lock's server is a Redis primary with an asynchronous replica, each on its own node. The replica can be promoted;
// the network gives it the lock's address.
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
