#include "servers/mysql/lab_address.hpp"

#include <utility>

#include "artifact/error.hpp"

namespace holdfast {

MySqlAddress lab_address(const std::string& host) {
  MySqlAddress address;
  address.host = host;
  address.database = kDatabase;
  address.timeout_s = kPatience_s;
  return address;
}

MySqlAddress mysql_address(const Target& target) {
  MySqlAddress out;
  out.host = target.host;
  out.port = target.port;
  out.user = target.user;
  out.password = target.password;
  out.database = target.database;
  out.security = target.security;
  return out;
}

void must_run(MySqlConnection& db, const std::string& sql) {
  try {
    const Reply reply = db.query(sql);
    if (!reply.ok()) throw HarnessError("the trial's tables: " + reply.message + " in: " + sql);
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the trial's tables: ") + failed.what());
  }
}

void make_lab_database(MySqlAddress address) {
  const std::string name = std::exchange(address.database, "");
  MySqlConnection server(std::move(address));
  must_run(server, "CREATE DATABASE IF NOT EXISTS " + name);
}

}  // namespace holdfast
