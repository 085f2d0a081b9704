#include "runner/stores.hpp"

#include <charconv>
#include <utility>

#include "artifact/error.hpp"
#include "client/client.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

std::uint32_t key_number(const std::string& key) {  // of "k7"
  std::uint32_t out = 0;
  const char* end = key.data() + key.size();
  const bool named = !key.empty() && key[0] == 'k';
  const auto [stop, error] = std::from_chars(key.data() + (named ? 1 : 0), end, out);
  if (!named || stop != end || error != std::errc()) {
    throw HarnessError("the resource's log cannot be read: it has a key that is not the trial's");
  }
  return out;
}

Event accepted_write(const Reply& log, std::size_t row, std::int64_t now_ns) {
  Event event;
  event.actor = Actor::resource;
  event.type = EventType::ok;
  event.op = Op::write;
  event.time_ns = now_ns;
  event.key = key_number(log.text(row, 1));
  event.client = static_cast<std::uint32_t>(log.count(row, 2));
  event.grant = log.count(row, 3);
  event.number = log.count(row, 4);
  event.token = log.count(row, 7);
  event.accepted = {log.count(row, 0), log.number(row, 5), log.number(row, 6)};
  return event;
}

}  // namespace

Stores::Stores(MySqlAddress resource, const std::string& prefix)
    : resource_(std::move(resource)), statements_(embedded_statements("resource").with_prefix(prefix)) {
  resource_ = taking(resource_, statements_);
  resource_.most_answer = kMostOfLog;
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
  std::vector<Event> out;
  try {
    const Reply reply = db.query(statements_.bind("log", {}, nullptr));
    if (!reply.ok()) throw HarnessError("the resource's log cannot be read: " + reply.message);
    for (std::size_t i = 0; i < reply.rows.size(); ++i) out.push_back(accepted_write(reply, i, now_ns));
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the resource's log cannot be read: ") + failed.what());
  }
  return out;
}

}  // namespace holdfast
