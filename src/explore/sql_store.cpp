// MariaDB, stepped. The server's time is the session's variable `timestamp`; a statement that would wait for a row lock
// is refused at once (innodb_lock_wait_timeout = 0) and tried again later, with the time it began at, as a real waiting
// statement keeps its NOW().
//
// A connection beside the sessions keeps a read view open during each schedule: otherwise the server's purge would
// remove deleted rows at times of its own, and a deleted row behaves differently from none.
#include <algorithm>
#include <map>
#include <optional>

#include "artifact/error.hpp"
#include "explore/sql_tables.hpp"
#include "explore/stepped_store.hpp"
#include "lock/lock.hpp"
#include "store/mysql_connection.hpp"

namespace holdfast {
namespace {

bool contains(const std::string& text, const char* word) {
  return text.find(word) != std::string::npos;
}

bool begins(const std::string& text, const char* word) {
  return text.rfind(word, 0) == 0;
}

std::string time_setting(std::int64_t us) {
  const std::string fraction = std::to_string(us % 1'000'000 + 1'000'000).substr(1);
  return "SET timestamp = " + std::to_string(us / 1'000'000) + "." + fraction + "; ";
}

std::string in_brackets(const std::string& text) {
  const std::size_t begin = text.find('(') + 1;
  return text.substr(begin, text.find_first_of(",)", begin) - begin);
}

struct SqlSession {
  explicit SqlSession(MySqlAddress address) : connection(std::move(address)) {}
  MySqlConnection connection;
  std::int64_t time_us = -1;  // that the server has been told
  bool transaction = false;
  std::map<std::string, int> own_locks;  // GET_LOCK: by what is between the brackets, how often it holds each
};

// A session may get its lock again, and must then release it as often. An answer of 1 says that it did.
void count_own_lock(SqlSession& session, const std::string& text, const Reply& reply) {
  if (reply.rows.empty() || reply.field(0, 0).value_or("") != "1") return;
  const auto lock = session.own_locks.emplace(in_brackets(text), 0).first;
  lock->second += contains(text, "RELEASE_LOCK(") ? -1 : 1;
  if (lock->second <= 0) session.own_locks.erase(lock);
}

class SqlStore : public SteppedStore {
 public:
  SqlStore(const StoreSpec& spec, const std::string& host);
  void begin(std::int64_t now_us, bool afresh) override;
  Command bind(std::size_t session, std::string_view statement, Params params) override;
  Executed run(std::size_t session, const Command& command, std::int64_t now_us) override;
  void end_session(std::size_t session) override;
  bool holds_session(std::size_t session) const override {
    return sessions_[session].transaction || !sessions_[session].own_locks.empty();
  }
  bool empties() const override { return false; }
  std::int64_t tick_us() const override { return 1; }
  std::optional<std::vector<StoredRow>> content(const std::string& prefix) override;

 private:
  void must(MySqlConnection& db, const std::string& sql) {
    const Reply reply = db.query(sql);
    if (!reply.ok()) throw HarnessError("the explorer's tables: " + reply.message + " in: " + sql);
  }
  std::string quoted(const std::string& text) { return beside_->quote(text); }

  SqlFile statements_;
  std::vector<SqlSession> sessions_;
  std::optional<MySqlConnection> beside_;
  std::optional<MySqlConnection> reader_;
  SqlTables tables_;
  std::string database_;
};

MySqlAddress address_of(const StoreSpec& spec, const std::string& host, const std::string& database) {
  MySqlAddress address;
  const bool socket = host.find('/') != std::string::npos;
  (socket ? address.socket : address.host) = host;
  address.database = database;
  address.found_rows = parse_lock_ref(spec.lock).found_rows;
  address.timeout_s = 10;
  address.first_statement = "SET SESSION innodb_lock_wait_timeout = 0";
  return address;
}

SqlStore::SqlStore(const StoreSpec& spec, const std::string& host)
    : statements_(lock_statements(parse_lock_ref(spec.lock).lock)),
      database_("explore_" + std::to_string(spec.worker)) {
  MySqlConnection server(address_of(spec, host, ""));
  must(server, "CREATE DATABASE IF NOT EXISTS " + database_);
  beside_.emplace(address_of(spec, host, database_));
  reader_.emplace(address_of(spec, host, database_));
  for (std::size_t i = 0; i < spec.sessions; ++i) sessions_.emplace_back(address_of(spec, host, database_));
}

void SqlStore::begin(std::int64_t, bool afresh) {
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    if (holds_session(i)) end_session(i);
  }
  if (afresh) {
    must(*beside_, "COMMIT; DROP DATABASE " + database_ + "; CREATE DATABASE " + database_ + "; USE " + database_);
    if (statements_.has("schema")) must(*beside_, statements_.bind("schema", {}, nullptr));
    for (auto& session : sessions_) must(session.connection, "USE " + database_);
    must(*reader_, "USE " + database_);
    tables_.learn(*reader_);
  }
  must(*beside_, "COMMIT; START TRANSACTION WITH CONSISTENT SNAPSHOT");
}

// A lock with transactions leaves deleted rows whose gaps later transactions lock: its content does not say all.
std::optional<std::vector<StoredRow>> SqlStore::content(const std::string& prefix) {
  if (statements_.has("begin")) return std::nullopt;
  auto out = tables_.rows(*reader_, prefix);
  for (std::size_t i = 0; out && i < sessions_.size(); ++i) {
    for (const auto& [name, times] : sessions_[i].own_locks) {
      out->push_back({{"GET_LOCK", std::to_string(i), name, std::to_string(times)}, StoredRow{}.gone_after_us});
    }
  }
  return out;
}

Command SqlStore::bind(std::size_t, std::string_view statement, Params params) {
  const auto quote = [this](const std::string& text) { return quoted(text); };
  return {std::string(statement), statements_.bind(statement, params, quote), {}};
}

Executed SqlStore::run(std::size_t number, const Command& command, std::int64_t now_us) {
  SqlSession& session = sessions_[number];
  const std::string& text = command.text;
  Executed out;
  out.reply = session.connection.query(session.time_us == now_us ? text : time_setting(now_us) + text);
  session.time_us = now_us;
  const bool reads = out.read = begins(text, "SELECT");
  out.would_wait = out.reply.error == kLockWaitTimeout && !contains(text, "NOWAIT");
  const bool session_lock = contains(text, "GET_LOCK(") || contains(text, "RELEASE_LOCK(");
  out.changed =
      out.reply.ok() && (out.reply.affected > 0 || session_lock ||
                         !(reads || begins(text, "INSERT") || begins(text, "UPDATE") || begins(text, "DELETE")));
  if (!out.reply.ok()) {
    if (out.reply.error == kDeadlock) session.transaction = false;
    return out;
  }
  if (begins(text, "START TRANSACTION") || begins(text, "BEGIN")) session.transaction = true;
  if (begins(text, "COMMIT") || begins(text, "ROLLBACK")) session.transaction = false;
  if (session_lock) count_own_lock(session, text, out.reply);
  return out;
}

void SqlStore::end_session(std::size_t number) {
  SqlSession& session = sessions_[number];
  if (!holds_session(number)) return;
  must(session.connection, "ROLLBACK; DO RELEASE_ALL_LOCKS()");
  session.transaction = false;
  session.own_locks.clear();
}

}  // namespace

std::unique_ptr<SteppedStore> make_sql_store(const StoreSpec& spec, const std::string& host) {
  return std::make_unique<SqlStore>(spec, host);
}

}  // namespace holdfast
