#include "runner/stores.hpp"

#include <utility>

#include "artifact/error.hpp"
#include "client/client.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

constexpr unsigned kPatience_s = 5;

}  // namespace

Stores::Stores(std::string resource_host) : resource_host_(std::move(resource_host)) {}

MySqlConnection trial_database(const std::string& host) {
  MySqlAddress address;
  address.host = host;
  address.database = kDatabase;
  address.timeout_s = kPatience_s;
  return MySqlConnection(address);
}

void must_run(MySqlConnection& db, const std::string& sql) {
  try {
    const Reply reply = db.query(sql);
    if (!reply.ok()) throw HarnessError("the trial's tables: " + reply.message + " in: " + sql);
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the trial's tables: ") + failed.what());
  }
}

void make_trial_database(const std::string& host) {
  MySqlAddress nowhere;
  nowhere.host = host;
  nowhere.timeout_s = kPatience_s;
  MySqlConnection server(nowhere);
  must_run(server, std::string("CREATE DATABASE IF NOT EXISTS ") + kDatabase);
}

void Stores::prepare(const Plan& plan) {
  make_trial_database(resource_host_);
  MySqlConnection db = trial_database(resource_host_);
  const auto quote = [&db](const std::string& text) { return db.quote(text); };
  const SqlFile own = embedded_statements("resource");
  must_run(db, own.bind("schema", {}, quote));
  for (std::int64_t key = 0; key < plan.load.keys; ++key) {
    must_run(db, own.bind("create", {{"key", "k" + std::to_string(key)}}, quote));
  }
}

std::vector<Event> Stores::accepted_writes(std::int64_t now_ns) {
  MySqlConnection db = trial_database(resource_host_);
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
