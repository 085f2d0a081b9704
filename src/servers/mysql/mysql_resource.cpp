// The protected resource as tables on MariaDB or MySQL (sql/resource.sql).
#include "servers/mysql/mysql_resource.hpp"

#include <charconv>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "lab/network.hpp"
#include "lab/process_limit.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/mysql_client.hpp"
#include "servers/mysql/start_mariadb.hpp"

namespace holdfast {

std::string_view embedded_sql(std::string_view name);

namespace {

constexpr int kStartLook_ms = 5;

SqlFile resource_statements(const ResourceAccess& access) {
  const StatementFile file{"sql/resource.sql", embedded_sql("resource.sql")};
  return mysql_file(file, access.target ? access.target->prefix : "");
}

MySqlAddress resource_address(const ResourceAccess& access) {
  if (access.target) return mysql_address(*access.target);
  MySqlAddress address = lab_address(access.host);
  address.socket = access.socket;
  return address;
}

std::uint32_t key_number(const std::string& key) {  // from "k7"
  std::uint32_t out = 0;
  const char* end = key.data() + key.size();
  const bool named = !key.empty() && key[0] == 'k';
  const auto [stop, error] = std::from_chars(key.data() + (named ? 1 : 0), end, out);
  if (!named || stop != end || error != std::errc()) {
    throw HarnessError("the resource's log cannot be read: it has a key of another trial");
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

class MySqlResource : public ResourceStore {
 public:
  explicit MySqlResource(const ResourceAccess& access)
      : statements_(resource_statements(access)), address_(taking(resource_address(access), statements_)) {
    address_.most_answer = kMostOfLog;
    address_.timeout_s = access.target ? kTargetPatience_s : kPatience_s;
  }
  void wait_for(Process& server, const std::string& log) override;
  void make_database() override { make_lab_database(address_); }
  void prepare(std::int64_t keys) override;
  std::vector<Event> accepted_writes(std::int64_t now_ns) override;

 private:
  void wait_at_socket(Process& server, const std::string& log) const;

  SqlFile statements_;
  MySqlAddress address_;
};

void MySqlResource::wait_for(Process& server, const std::string& log) {
  if (!address_.socket.empty()) return wait_at_socket(server, log);
  wait_for_answer(address_.host, kMySqlProbe, server, log, kServerStart_ms);
}

void MySqlResource::wait_at_socket(Process& server, const std::string& log) const {
  MySqlAddress address = address_;
  address.database.clear();
  std::string why;
  const auto answers = [&] {
    try {
      MySqlConnection(address).connect();
      return true;
    } catch (const StatementFailed& failed) {
      if (server.wait(0))
        throw HarnessError("the resource's server exited immediately; see " + log + refused_processes());
      why = failed.what();
      return false;
    }
  };
  if (!poll_until(answers, kStartLook_ms, after_ms(kServerStart_ms))) {
    throw HarnessError("the resource's server: " + why);
  }
}

void MySqlResource::prepare(std::int64_t keys) {
  MySqlConnection db(address_);
  const auto quote = [&db](const std::string& text) { return db.quote(text); };
  must_run(db, statements_.bind("schema", {}, quote));
  for (std::int64_t key = 0; key < keys; ++key) {
    must_run(db, statements_.bind("create", {{"key", "k" + std::to_string(key)}}, quote));
  }
}

std::vector<Event> MySqlResource::accepted_writes(std::int64_t now_ns) {
  MySqlConnection db(address_);
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

}  // namespace

Process start_mysql_resource(const ResourceServer& server) {
  ServerSpec spec;
  spec.data = server.data;
  spec.log = server.log;
  spec.network = server.network;
  spec.connections = server.connections;
  spec.only_socket = server.network < 0;
  return start_mariadb(spec);
}

// A socket's path must be short, but a run's folder may be deep: the folder is named through a descriptor.
std::string mysql_resource_socket(int directory) {
  return "/proc/self/fd/" + std::to_string(directory) + "/" + kServerSocket;
}

std::unique_ptr<ResourceStore> open_mysql_resource(const ResourceAccess& access) {
  return std::make_unique<MySqlResource>(access);
}

std::unique_ptr<StatementConnection> connect_mysql_resource(const ResourceAccess& access) {
  return std::make_unique<MySqlStatements>(with_client_limits(resource_address(access)), resource_statements(access));
}

}  // namespace holdfast
