#include "servers/mysql/mysql_replica_server.hpp"

#include "artifact/error.hpp"
#include "lab/readiness_probe.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/trial_spec.hpp"

namespace holdfast {
namespace {

constexpr int kTurns = 5;
constexpr const char* kTurn_s = "4";  // less than what the connection waits for an answer

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

// Waits until the replica has run all that the primary has committed so far.
void wait_until_it_has_all(MySqlConnection& replica, const std::string& log) {
  MySqlConnection primary(lab_address(kLockAddress));
  const Reply end = primary.query("SHOW MASTER STATUS");
  if (!end.ok() || end.rows.empty()) throw HarnessError("the primary does not tell how far its log is: " + end.message);
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

MySqlReplicaServer::MySqlReplicaServer(const ServerConfig& config)
    : MySqlLockServer(config),
      log_(trial_log(config.folder, kReplica)),
      replica_([config] { return start_replica(config); }) {}

// A replica notes in this one table how far it has come; of the system's tables it needs no other. It reads the
// primary's log from its beginning, so what the primary has already comes across too.
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
                   ", master_user = 'root', master_connect_retry = 1, master_use_gtid = no");
  must_run(db, "START SLAVE");
  wait_until_it_has_all(db, log_);
}

// No answer also while the table of canaries has not come across.
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
    return false;  // the address is on its way
  }
}

}  // namespace holdfast
