// A MariaDB or MySQL server as the lock's: the trial's own, at the lock's address, or a user's.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "servers/lock_server.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/mysql_connection.hpp"
#include "servers/target.hpp"

namespace holdfast {

class MySqlLockServer : public LockServer {
 public:
  explicit MySqlLockServer(const ServerConfig& config);
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  ReadinessProbe readiness() const override { return kMySqlProbe; }
  void end_connection(std::uint64_t connection, std::uint32_t server) override;
  bool connection_alive(std::uint64_t connection, std::uint32_t server) override;

  Durability durability() const override;
  Durability durability_without_power() const override;
  void prepare_canaries() override;
  void leave_canary(std::int64_t n) override;
  std::optional<bool> canary_kept(std::int64_t n) override;
  std::optional<ServerTime> clock() override;
  std::string cannot_drop_entries() const override { return ""; }
  void drop_entries() override;
  std::string cannot_refuse_writes() const override {
    return "the lab's MariaDB has no accounts, and read_only does not restrict a user with all privileges";
  }

 protected:
  MySqlLockServer(MySqlAddress address, const std::string& prefix);  // an existing server, not started by holdfast
  void make_table(const StatementFile& file);
  MySqlLockServer(const ServerConfig& config, std::function<Process()> start);

 private:
  MySqlConnection database(std::uint32_t server = 0) const;  // of the servers that accept writes

  MySqlAddress address_;
  std::string prefix_;
  std::string log_;
  std::int64_t flush_log_at_commit_ = 1;
};

// A user's own server: tables beside foreign ones, with a prefix of the trial.
class MySqlTargetServer : public MySqlLockServer {
 public:
  explicit MySqlTargetServer(const Target& target);
  std::vector<TrialServer*> processes() override { return {}; }
  void prepare(const StatementFile& statements) override { make_table(statements); }
};

// The lock's server is a MariaDB primary with an asynchronous replica, each on its own node. The replica can be
// promoted; the network gives it the lock's address.
class MySqlReplicaServer : public MySqlLockServer, public Replication {
 public:
  explicit MySqlReplicaServer(const ServerConfig& config);
  void prepare(const StatementFile& statements) override;
  std::vector<TrialServer*> processes() override { return {&process(), &replica_}; }
  TrialServer& serving() override { return promoted_ ? replica_ : process(); }
  Replication* replication() override { return this; }

  // With MariaDB's defaults the binary log is not synced (sync_binlog = 0); and a restarted primary rolls back a
  // committed transaction that is missing in the log, whatever innodb_flush_log_at_trx_commit was.
  Durability durability_without_power() const override { return Durability::may_be_lost; }

  std::optional<bool> replica_has_canary(std::int64_t n) override;
  void promote_replica() override;
  bool replica_is_primary() override;

 private:
  std::string log_;  // the replica's
  TrialServer replica_;
  std::atomic<bool> promoted_{false};
};

}  // namespace holdfast
