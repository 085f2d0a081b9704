#include "servers/mysql/mysql_lock_server.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "lab/readiness_probe.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/mysql_client.hpp"
#include "servers/mysql/mysql_errors.hpp"
#include "servers/mysql/start_mariadb.hpp"

namespace holdfast {
namespace {

Process start_server(const ServerConfig& config) {
  ServerSpec spec = lock_server_spec(config);
  spec.clock = config.clock;
  spec.replication_id = config.settings.topology == "replica" ? kPrimaryId : 0;
  return start_mariadb(spec);
}

constexpr int kTurns = 5;
constexpr const char* kTurn_s = "4";  // less than the connection's time-out for an answer

constexpr const char* kReplica = "-replica";

Process start_replica(const ServerConfig& config) {
  ServerSpec spec = trial_spec(config, kReplica, config.replica_network);
  spec.replication_id = kReplicaId;
  return start_mariadb(spec);
}

MySqlConnection replica_server() {
  MySqlAddress address;
  address.host = kReplicaAddress;
  address.timeout_s = 5;
  return MySqlConnection(address);
}

// Waits until the replica has applied everything committed so far.
void wait_until_it_has_all(MySqlConnection& replica, const std::string& log) {
  MySqlConnection primary(lab_address(kLockAddress));
  const Reply end = primary.query("SHOW MASTER STATUS");
  if (!end.ok() || end.rows.empty())
    throw HarnessError("the primary does not report the position of its log: " + end.message);
  const std::string wait = "SELECT MASTER_POS_WAIT('" + end.field(0, 0).value_or("") + "', " +
                           end.field(0, 1).value_or("") + ", " + kTurn_s + ")";
  for (int turn = 0; turn < kTurns; ++turn) {
    const Reply events = replica.query(wait);
    if (!events.ok() || !events.field(0, 0)) break;  // NULL: it does not replicate, or has stopped
    if (events.field(0, 0)->front() != '-') return;
  }
  throw HarnessError("the replica does not follow its primary; see " + log);
}

}  // namespace

MySqlLockServer::MySqlLockServer(const ServerConfig& config)
    : MySqlLockServer(config, [config] { return start_server(config); }) {}

MySqlLockServer::MySqlLockServer(const ServerConfig& config, std::function<Process()> start)
    : LockServer(std::move(start)),
      address_(lab_address(kLockAddress)),
      log_(trial_log(config.folder, "")),
      flush_log_at_commit_(mysql_settings(config.settings).flush_log_at_commit) {}

MySqlLockServer::MySqlLockServer(MySqlAddress address, const std::string& prefix)
    : LockServer(not_ours()), address_(std::move(address)), prefix_(prefix) {
  address_.timeout_s = kTargetPatience_s;
}

MySqlConnection MySqlLockServer::database(std::uint32_t server) const {
  MySqlAddress address = address_;
  if (server > 0) address.host = kServerAddresses[server];
  return MySqlConnection(address);
}

void MySqlLockServer::prepare(const StatementFile& statements) {
  process().when_started(
      [this](Process& process) { wait_for_answer(kLockAddress, kMySqlProbe, process, log_, kServerStart_ms); });
  make_lab_database(address_);
  make_table(statements);
}

void MySqlLockServer::make_table(const StatementFile& file) {
  if (file.text.empty()) return;  // an adapter's lock creates what it needs
  const SqlFile statements = mysql_file(file, prefix_);
  if (!statements.has("schema")) return;
  MySqlConnection db(taking(address_, statements));
  must_run(db, statements.bind("schema", {}, [&db](const std::string& text) { return db.quote(text); }));
}

MySqlTargetServer::MySqlTargetServer(const Target& target) : MySqlLockServer(mysql_address(target), target.prefix) {}

std::string MySqlLockServer::version() {
  MySqlConnection db = database();
  const std::string version = db.query("SELECT VERSION()").field(0, 0).value_or("");
  const auto maria = version.find("-MariaDB");
  return maria == std::string::npos ? "MySQL " + version : "MariaDB " + version.substr(0, maria);
}

void MySqlLockServer::end_connection(std::uint64_t connection, std::uint32_t server) {
  MySqlConnection db = database(server);
  const Reply reply = db.query("KILL CONNECTION " + std::to_string(connection));
  if (!reply.ok() && reply.error != kNoSuchThread) throw HarnessError("KILL CONNECTION: " + reply.message);
}

bool MySqlLockServer::connection_alive(std::uint64_t connection, std::uint32_t server) {
  MySqlConnection db = database(server);
  const std::string id = std::to_string(connection);
  const Reply reply = db.query("SELECT id FROM information_schema.processlist WHERE id = " + id);
  if (!reply.ok()) throw HarnessError("the list of sessions: " + reply.message);
  return !reply.rows.empty();
}

Durability MySqlLockServer::durability() const {
  return flush_log_at_commit_ == 0 ? Durability::may_be_lost : Durability::kept;
}

// With 2 the log is written at each commit but synced only every second.
Durability MySqlLockServer::durability_without_power() const {
  return flush_log_at_commit_ == 1 ? Durability::kept : Durability::may_be_lost;
}

// Creating a table syncs the server's log, which a canary must not do.
void MySqlLockServer::prepare_canaries() {
  MySqlConnection db = database();
  must_run(db, "CREATE TABLE holdfast_canary (n BIGINT PRIMARY KEY) ENGINE = InnoDB");
}

void MySqlLockServer::leave_canary(std::int64_t n) {
  MySqlConnection db = database();
  must_run(db, "INSERT INTO holdfast_canary VALUES (" + std::to_string(n) + ")");
}

std::optional<bool> MySqlLockServer::canary_kept(std::int64_t n) {
  try {
    MySqlConnection db = database();
    const Reply reply = db.query("SELECT n FROM holdfast_canary WHERE n = " + std::to_string(n));
    if (!reply.ok()) throw HarnessError("the canary cannot be read: " + reply.message);
    return !reply.rows.empty();
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

// Waits for rows locked by a transaction.
void MySqlLockServer::drop_entries() {
  MySqlConnection db = database();
  must_run(db, "SET SESSION innodb_lock_wait_timeout = 3");
  const Reply tables = db.query(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE "
      "TABLE'");
  if (!tables.ok()) throw HarnessError("the list of tables: " + tables.message);
  for (std::size_t row = 0; row < tables.rows.size(); ++row) must_run(db, "DELETE FROM `" + tables.text(row, 0) + "`");
}

std::optional<ServerTime> MySqlLockServer::clock() {
  try {
    MySqlConnection db = database();
    db.connect();
    ServerTime out;
    out.asked_ns = host_wall_ns();
    const Reply reply = db.query("SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)");
    out.answered_ns = host_wall_ns();
    if (!reply.ok()) throw HarnessError("the server's clock cannot be read: " + reply.message);
    out.server_ns = reply.number(0, 0) * 1000;
    return out;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

MySqlReplicaServer::MySqlReplicaServer(const ServerConfig& config)
    : MySqlLockServer(config),
      log_(trial_log(config.folder, kReplica)),
      replica_([config] { return start_replica(config); }) {}

// A replica stores its position in this one system table and needs no other. It reads the primary's log from the
// beginning, so earlier data is replicated too. From 11.3 on a replica uses TLS by default, and refuses its primary's
// self-signed certificate.
void MySqlReplicaServer::prepare(const StatementFile& statements) {
  MySqlLockServer::prepare(statements);
  replica_.when_started(
      [this](Process& process) { wait_for_answer(kReplicaAddress, kMySqlProbe, process, log_, kServerStart_ms); });
  MySqlConnection db = replica_server();
  must_run(db, "CREATE DATABASE mysql");
  must_run(db,
           "CREATE TABLE mysql.gtid_slave_pos (domain_id INT UNSIGNED NOT NULL, sub_id BIGINT UNSIGNED NOT NULL, "
           "server_id INT UNSIGNED NOT NULL, seq_no BIGINT UNSIGNED NOT NULL, PRIMARY KEY (domain_id, sub_id)) "
           "ENGINE = InnoDB");
  must_run(db, std::string("CHANGE MASTER TO master_host = '") + kLockAddress +
                   "', master_port = " + std::to_string(kServerPort) +
                   ", master_user = 'root', master_connect_retry = 1, master_use_gtid = no"
                   ", master_ssl = 0, master_ssl_verify_server_cert = 0");
  must_run(db, "START SLAVE");
  wait_until_it_has_all(db, log_);
}

// Also empty while the canaries' table has not been replicated.
std::optional<bool> MySqlReplicaServer::replica_has_canary(std::int64_t n) {
  try {
    MySqlConnection db = replica_server();
    const Reply reply =
        db.query(std::string("SELECT n FROM ") + kDatabase + ".holdfast_canary WHERE n = " + std::to_string(n));
    if (!reply.ok()) return std::nullopt;
    return !reply.rows.empty();
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

void MySqlReplicaServer::promote_replica() {
  MySqlConnection db = replica_server();
  must_run(db, "STOP SLAVE");
  must_run(db, "RESET SLAVE ALL");
  promoted_ = true;
}

bool MySqlReplicaServer::replica_is_primary() {
  try {
    MySqlConnection db(lab_address(kLockAddress));
    const Reply id = db.query("SELECT @@server_id");
    const Reply follows = db.query("SHOW SLAVE STATUS");
    return id.ok() && id.field(0, 0).value_or("") == std::to_string(kReplicaId) && follows.ok() && follows.rows.empty();
  } catch (const StatementFailed&) {
    return false;  // the address has not moved yet
  }
}

}  // namespace holdfast
