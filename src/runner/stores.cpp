#include "runner/stores.hpp"

#include "artifact/error.hpp"
#include "client/client.hpp"
#include "lock/lock.hpp"

namespace holdfast {

Stores::Stores(const std::string& lock_host, const std::string& resource_host)
    : lock_host_(lock_host), resource_host_(resource_host) {}

MySqlConnection Stores::connect(const std::string& host, const std::string& database) {
  MySqlAddress address;
  address.host = host;
  address.database = database;
  address.timeout_s = 5;
  return MySqlConnection(address);
}

void Stores::must(MySqlConnection& db, const std::string& sql) {
  try {
    const Reply reply = db.query(sql);
    if (!reply.ok()) throw HarnessError("the trial's tables: " + reply.message + " in: " + sql);
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the trial's tables: ") + failed.what());
  }
}

void Stores::prepare(const Plan& plan) {
  for (const auto& host : {lock_host_, resource_host_}) {
    MySqlConnection db = connect(host, "");
    must(db, std::string("CREATE DATABASE IF NOT EXISTS ") + kDatabase);
  }
  MySqlConnection lock = connect(lock_host_, kDatabase);
  const auto quote = [&lock](const std::string& text) { return lock.quote(text); };
  const SqlFile statements = lock_statements(parse_lock_ref(plan.lock).lock);
  if (statements.has("schema")) must(lock, statements.bind("schema", {}, quote));
  MySqlConnection resource = connect(resource_host_, kDatabase);
  const SqlFile own = embedded_statements("resource");
  must(resource, own.bind("schema", {}, quote));
  for (std::int64_t key = 0; key < plan.load.keys; ++key) {
    must(resource, own.bind("create", {{"key", "k" + std::to_string(key)}}, quote));
  }
}

std::string Stores::server_version() {
  MySqlConnection db = connect(lock_host_, "");
  const std::string version = db.query("SELECT VERSION()").field(0, 0).value_or("");
  const auto maria = version.find("-MariaDB");
  return maria == std::string::npos ? "MySQL " + version : "MariaDB " + version.substr(0, maria);
}

void Stores::end_connection(std::uint64_t connection) {
  MySqlConnection db = connect(lock_host_, "");
  const Reply reply = db.query("KILL CONNECTION " + std::to_string(connection));
  constexpr int kNoSuchThread = 1094;
  if (!reply.ok() && reply.error != kNoSuchThread) throw HarnessError("KILL CONNECTION: " + reply.message);
}

bool Stores::connection_alive(std::uint64_t connection) {
  MySqlConnection db = connect(lock_host_, "");
  const std::string id = std::to_string(connection);
  return !db.query("SELECT id FROM information_schema.processlist WHERE id = " + id).rows.empty();
}

std::vector<Event> Stores::accepted_writes(std::int64_t now_ns) {
  MySqlConnection db = connect(resource_host_, kDatabase);
  Reply reply;
  try {
    reply = db.query(embedded_statements("resource").bind("log", {}, nullptr));
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the resource's log cannot be read: ") + failed.what());
  }
  std::vector<Event> out;
  for (const auto& row : reply.rows) {
    const auto number = [&row](std::size_t i) { return std::stoull(row.at(i).value()); };
    Event event;
    event.actor = Actor::resource;
    event.type = EventType::ok;
    event.op = Op::write;
    event.time_ns = now_ns;
    event.key = static_cast<std::uint32_t>(std::stoul(row.at(1).value().substr(1)));  // "k7"
    event.client = static_cast<std::uint32_t>(number(2));
    event.grant = number(3);
    event.number = number(4);
    event.token = number(7);
    event.accepted = {number(0), std::stoll(row.at(5).value()), std::stoll(row.at(6).value())};
    out.push_back(event);
  }
  return out;
}

}  // namespace holdfast
