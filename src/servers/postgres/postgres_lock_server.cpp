#include "servers/postgres/postgres_lock_server.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "lab/network.hpp"
#include "servers/postgres/pooled_postgres.hpp"

namespace holdfast {
namespace {

constexpr const char* kReplica = "-replica";
constexpr int kFollowLook_ms = 10;

PostgresSpec spec_of(const ServerConfig& config, const std::string& which, int network) {
  PostgresSpec out;
  out.data = (which.empty() ? config.place_of_data() : config.folder + "/lab") + "/postgres" + which;
  out.log = postgres_log(config, which);
  out.network = network;
  out.connections = config.connections;
  out.settings = postgres_settings(config.settings);
  // By default it syncs each of its thousand files when it starts after a power loss, although everything there is on
  // the disk.
  // then that is not on the disk.
  if (which.empty() && !config.disks.empty()) out.more.emplace_back("recovery_init_sync_method=syncfs");
  return out;
}

Process start_primary(const ServerConfig& config) {
  PostgresSpec spec = spec_of(config, "", config.network);
  spec.clock = config.clock;
  return start_postgres(spec);
}

Process start_replica_of(const ServerConfig& config) {
  PostgresSpec spec = spec_of(config, kReplica, config.replica_network);
  spec.primary = kLockAddress;
  return start_postgres(spec);
}

std::string number_text(std::uint64_t number) {
  return std::to_string(number);
}

}  // namespace

PostgresLockServer::PostgresLockServer(const ServerConfig& config)
    : LockServer([config] { return start_primary(config); }),
      address_(postgres_in_lab(kLockAddress)),
      log_(postgres_log(config)),
      settings_(postgres_settings(config.settings)) {}

PostgresLockServer::PostgresLockServer(PgAddress address, std::string prefix)
    : LockServer(not_ours()), address_(std::move(address)), prefix_(std::move(prefix)) {}

void PostgresLockServer::wait_until_it_serves() {
  process().when_started([this](Process& process) {
    wait_for_answer(kLockAddress, postgres_probe(kPostgresPort), process, log_, kServerStart_ms);
  });
}

void PostgresLockServer::prepare(const StatementFile& statements) {
  wait_until_it_serves();
  make_tables(statements);
}

void PostgresLockServer::make_tables(const StatementFile& file) {
  if (file.text.empty()) return;  // an adapter's lock creates what it needs
  const SqlFile statements = postgres_file(file, prefix_);
  if (!statements.has("schema")) return;
  PgConnection db(address_);
  must_answer(db, statements.bind("schema", {}, [&db](const std::string& text) { return db.quote(text); }));
}

std::string PostgresLockServer::version() {
  PgConnection db(address_);
  const std::string all = must_answer(db, "SHOW server_version").text(0, 0);  // "15.18 (Debian 15.18-0+deb12u1)"
  return "PostgreSQL " + all.substr(0, all.find(' '));
}

// Ending a session that is already gone is not an error: there is no row then.
void PostgresLockServer::end_connection(std::uint64_t connection, std::uint32_t) {
  PgConnection db(address_);
  must_answer(db, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = " + number_text(connection));
}

bool PostgresLockServer::connection_alive(std::uint64_t connection, std::uint32_t) {
  PgConnection db(address_);
  return !must_answer(db, "SELECT pid FROM pg_stat_activity WHERE pid = " + number_text(connection)).rows.empty();
}

// A kill is not a power loss: data given to the kernel survives, and with synchronous_commit the log is given to it
// before the answer.
Durability PostgresLockServer::durability() const {
  return settings_.synchronous_commit == "off" ? Durability::may_be_lost : Durability::kept;
}

Durability PostgresLockServer::durability_without_power() const {
  return settings_.fsync ? durability() : Durability::may_be_lost;
}

// The table, and everything created before it, must survive a kill, whatever the settings say about later commits.
void PostgresLockServer::prepare_canaries() {
  PgConnection db(address_);
  must_answer(db, "SET synchronous_commit = on");
  must_answer(db, "CREATE TABLE holdfast_canary (n bigint PRIMARY KEY)");
}

void PostgresLockServer::leave_canary(std::int64_t n) {
  PgConnection db(address_);
  must_answer(db, "INSERT INTO holdfast_canary VALUES (" + std::to_string(n) + ")");
}

std::optional<bool> PostgresLockServer::canary_kept(std::int64_t n) {
  return canary_at(kLockAddress, n);
}

// Also empty while the canaries' table has not been replicated.
std::optional<bool> PostgresLockServer::canary_at(const std::string& host, std::int64_t n) {
  try {
    PgConnection db(postgres_in_lab(host));
    const Reply reply = db.query("SELECT n FROM holdfast_canary WHERE n = " + std::to_string(n));
    if (!reply.ok()) return std::nullopt;
    return !reply.rows.empty();
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

// Waits for rows locked by a transaction.
void PostgresLockServer::drop_entries() {
  PgConnection db(address_);
  must_answer(db, "SET lock_timeout = '3s'");
  const Reply tables =
      must_answer(db,
                  "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', "
                  "'information_schema')");
  for (std::size_t row = 0; row < tables.rows.size(); ++row) must_answer(db, "DELETE FROM " + tables.text(row, 0));
}

// Sessions use it from their next transaction on.
void PostgresLockServer::refuse_writes(bool refuse) {
  PgConnection db(address_);
  must_answer(db, refuse ? "ALTER SYSTEM SET default_transaction_read_only = on"
                         : "ALTER SYSTEM RESET default_transaction_read_only");
  must_answer(db, "SELECT pg_reload_conf()");
}

std::optional<bool> PostgresLockServer::takes_writes() {
  try {
    PgConnection db(address_);
    return db.query("DELETE FROM holdfast_canary WHERE n < 0").ok();
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

std::optional<ServerTime> PostgresLockServer::clock() {
  try {
    PgConnection db(address_);
    db.connect();
    ServerTime out;
    out.asked_ns = host_wall_ns();
    const Reply reply = db.query("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
    out.answered_ns = host_wall_ns();
    if (!reply.ok()) throw HarnessError("the server's clock cannot be read: " + reply.message);
    out.server_ns = reply.number(0, 0) * 1'000;
    return out;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

PostgresTargetServer::PostgresTargetServer(const Target& target)
    : PostgresLockServer(postgres_address(target), target.prefix) {}

PostgresReplicaServer::PostgresReplicaServer(const ServerConfig& config)
    : PostgresLockServer(config),
      log_(postgres_log(config, kReplica)),
      replica_([config] { return start_replica_of(config); }) {}

// The replica begins as a copy, and can be created only after the primary answers.
std::vector<TrialServer*> PostgresReplicaServer::processes() {
  if (!copied_) return {&process()};
  return {&process(), &replica_};
}

void PostgresReplicaServer::prepare(const StatementFile& statements) {
  PostgresLockServer::prepare(statements);
  replica_.start();
  copied_ = true;
  replica_.when_started(
      [this](Process& process) { wait_for_answer(kReplicaAddress, readiness(), process, log_, kServerStart_ms); });
  wait_until_it_follows();
}

// Waits until it has read everything the primary has written, so that a later cut becomes visible.
void PostgresReplicaServer::wait_until_it_follows() {
  PgConnection primary(postgres_in_lab(kLockAddress));
  const auto follows = [&primary] {
    return !must_answer(primary,
                        "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND "
                        "replay_lsn >= pg_current_wal_lsn()")
                .rows.empty();
  };
  if (poll_until(follows, kFollowLook_ms, after_ms(kServerStart_ms))) return;
  throw HarnessError("the replica does not follow its primary; see " + log_);
}

std::optional<bool> PostgresReplicaServer::replica_has_canary(std::int64_t n) {
  return canary_at(kReplicaAddress, n);
}

void PostgresReplicaServer::promote_replica() {
  PgConnection db(postgres_in_lab(kReplicaAddress));
  if (must_answer(db, "SELECT pg_promote(true, 4)").field(0, 0) != "t") {
    throw HarnessError("the replica did not become a primary within 4 s; see " + log_);
  }
  promoted_ = true;
}

bool PostgresReplicaServer::replica_is_primary() {
  if (!promoted_) return false;
  try {
    PgConnection db(postgres_in_lab(kLockAddress));
    // A promoted replica continues its log on a new timeline. A replica that still follows has no write position, and
    // answers with an error.
    const Reply line = db.query("SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) <> '00000001'");
    return line.ok() && line.field(0, 0) == "t";
  } catch (const StatementFailed&) {
    return false;  // the address has not moved yet
  }
}

std::unique_ptr<LockServer> start_postgres_lock_server(const ServerConfig& config) {
  const bool pooled = config.variant == kThroughPool;
  if (config.settings.topology == "replica") {
    if (pooled) throw Unavailable("PgBouncer in front of a replica is not supported; remedy: use topology single");
    return std::make_unique<PostgresReplicaServer>(config);
  }
  if (pooled) return std::make_unique<PooledPostgres>(config);
  return std::make_unique<PostgresLockServer>(config);
}

}  // namespace holdfast
