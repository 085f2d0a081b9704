#include "runner/mysql_server.hpp"

#include "artifact/error.hpp"
#include "lock/lock.hpp"
#include "runner/stores.hpp"

namespace holdfast {

void MySqlLockServer::prepare(const std::string& lock) {
  MySqlConnection db = trial_database(kLockAddress);
  const SqlFile statements = lock_statements(parse_lock_ref(lock).lock);
  if (!statements.has("schema")) return;
  must_run(db, statements.bind("schema", {}, [&db](const std::string& text) { return db.quote(text); }));
}

std::string MySqlLockServer::version() {
  MySqlConnection db = trial_database(kLockAddress);
  const std::string version = db.query("SELECT VERSION()").field(0, 0).value_or("");
  const auto maria = version.find("-MariaDB");
  return maria == std::string::npos ? "MySQL " + version : "MariaDB " + version.substr(0, maria);
}

void MySqlLockServer::end_connection(std::uint64_t connection) {
  MySqlConnection db = trial_database(kLockAddress);
  const Reply reply = db.query("KILL CONNECTION " + std::to_string(connection));
  constexpr int kNoSuchThread = 1094;
  if (!reply.ok() && reply.error != kNoSuchThread) throw HarnessError("KILL CONNECTION: " + reply.message);
}

bool MySqlLockServer::connection_alive(std::uint64_t connection) {
  MySqlConnection db = trial_database(kLockAddress);
  const std::string id = std::to_string(connection);
  return !db.query("SELECT id FROM information_schema.processlist WHERE id = " + id).rows.empty();
}

}  // namespace holdfast
