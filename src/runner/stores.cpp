#include "runner/stores.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "client/client.hpp"
#include "lock/lock.hpp"

namespace holdfast {

Stores::Stores(MySqlAddress resource, const std::string& prefix)
    : resource_(std::move(resource)), statements_(embedded_statements("resource").with_prefix(prefix)) {
  resource_.timeout_s = kPatience_s;
}

MySqlAddress trial_address(const std::string& host) {
  MySqlAddress address;
  address.host = host;
  address.database = kDatabase;
  address.timeout_s = kPatience_s;
  return address;
}

void must_run(MySqlConnection& db, const std::string& sql) {
  try {
    const Reply reply = db.query(sql);
    if (!reply.ok()) throw HarnessError("the trial's tables: " + reply.message + " in: " + sql);
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the trial's tables: ") + failed.what());
  }
}

void make_trial_database(MySqlAddress address) {
  const std::string name = std::exchange(address.database, "");
  MySqlConnection server(std::move(address));
  must_run(server, "CREATE DATABASE IF NOT EXISTS " + name);
}

void Stores::prepare(const Plan& plan) {
  MySqlConnection db(resource_);
  const auto quote = [&db](const std::string& text) { return db.quote(text); };
  must_run(db, statements_.bind("schema", {}, quote));
  for (std::int64_t key = 0; key < plan.load.keys; ++key) {
    must_run(db, statements_.bind("create", {{"key", "k" + std::to_string(key)}}, quote));
  }
}

std::vector<Event> Stores::accepted_writes(std::int64_t now_ns) {
  MySqlConnection db(resource_);
  Reply reply;
  try {
    reply = db.query(statements_.bind("log", {}, nullptr));
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the resource's log cannot be read: ") + failed.what());
  }
  if (!reply.ok()) throw HarnessError("the resource's log cannot be read: " + reply.message);
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
