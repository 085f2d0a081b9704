#include "servers/mysql/mysql_lock_server.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "servers/mysql/mysql_errors.hpp"
#include "servers/mysql/mysql_settings.hpp"
#include "servers/mysql/sql_file.hpp"
#include "servers/mysql/trial_spec.hpp"

namespace holdfast {
namespace {

Process start_server(const ServerConfig& config) {
  ServerSpec spec = trial_spec(config, "", config.network);
  spec.clock = config.clock;
  spec.replication_id = config.settings.topology == "replica" ? kPrimaryId : 0;
  return start_mariadb(spec);
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
  address_.timeout_s = kPatience_s;
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
  if (file.text.empty()) return;  // an adapter's lock makes what it needs
  const SqlFile statements = SqlFile::parse(file).with_prefix(prefix_);
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

// Making a table forces the server's log to the disk, which is just what a canary must not do.
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

}  // namespace holdfast
