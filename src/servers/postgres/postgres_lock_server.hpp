// A PostgreSQL server as the lock's: the trial's own, at the lock's address, or a user's.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "servers/lock_server.hpp"
#include "servers/postgres/lab_postgres.hpp"
#include "servers/postgres/pg_connection.hpp"

namespace holdfast {

class PostgresLockServer : public LockServer {
 public:
  explicit PostgresLockServer(const ServerConfig& config);
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  ReadinessProbe readiness() const override { return postgres_probe(kPostgresPort); }

  // By the process number of the session at the server.
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
  std::string cannot_refuse_writes() const override { return ""; }
  void refuse_writes(bool refuse) override;
  std::optional<bool> takes_writes() override;

 protected:
  PostgresLockServer(PgAddress address, std::string prefix);  // an existing server, not started by holdfast
  void wait_until_it_serves();
  void make_tables(const StatementFile& file);
  static std::optional<bool> canary_at(const std::string& host, std::int64_t n);

 private:
  PgAddress address_;
  std::string prefix_;
  std::string log_;
  PostgresSettings settings_;
};

// A user's own server: tables beside foreign ones, with a prefix of the trial.
class PostgresTargetServer : public PostgresLockServer {
 public:
  explicit PostgresTargetServer(const Target& target);
  std::vector<TrialServer*> processes() override { return {}; }
  void prepare(const StatementFile& statements) override { make_tables(statements); }
};

// A primary with an asynchronous replica, each on its own node; the replica is a copy of the primary that keeps reading
// its log. It can be promoted; the network gives it the lock's address.
class PostgresReplicaServer : public PostgresLockServer, public Replication {
 public:
  explicit PostgresReplicaServer(const ServerConfig& config);
  void prepare(const StatementFile& statements) override;
  std::vector<TrialServer*> processes() override;
  TrialServer& serving() override { return promoted_ ? replica_ : process(); }
  Replication* replication() override { return this; }

  std::optional<bool> replica_has_canary(std::int64_t n) override;
  void promote_replica() override;
  bool replica_is_primary() override;

 private:
  void wait_until_it_follows();

  std::string log_;  // the replica's
  TrialServer replica_;
  bool copied_ = false;  // the replica exists
  std::atomic<bool> promoted_{false};
};

std::unique_ptr<LockServer> start_postgres_lock_server(const ServerConfig& config);

}  // namespace holdfast
