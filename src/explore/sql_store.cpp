// MariaDB, stepped. The server's time is the session's variable `timestamp`; a statement that would wait for a row lock
// is refused at once (innodb_lock_wait_timeout = 0) and tried again later, with the time it began at, as a real waiting
// statement keeps its NOW().
//
// A connection beside the sessions keeps a read view open during each schedule: otherwise the server's purge would
// remove deleted rows at times of its own, and a deleted row behaves differently from none.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "artifact/error.hpp"
#include "explore/sql_tables.hpp"
#include "explore/sql_time.hpp"
#include "explore/stepped_store.hpp"
#include "lock/lock.hpp"
#include "store/mysql_connection.hpp"

namespace holdfast {
namespace {

// In the place of a row's table.
constexpr const char* kOwnLock = "a lock of a session";
constexpr const char* kChange = "a change by a transaction";

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
  std::string changes;                   // of the transaction
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
  void begin(std::int64_t now_us, Beginning beginning) override;
  Command bind(std::size_t session, std::string_view statement, Params params) override;
  Executed run(std::size_t session, const Command& command, std::int64_t now_us) override;
  void end_session(std::size_t session) override;
  bool holds_session(std::size_t session) const override {
    return sessions_[session].transaction || !sessions_[session].own_locks.empty();
  }
  bool empties() const override { return false; }
  std::int64_t tick_us() const override { return 1; }
  bool tells_whole_seconds() const override { return whole_seconds_; }
  std::optional<std::vector<StoredRow>> content(const std::string& prefix) override;
  bool put(const std::vector<StoredRow>& rows) override;

 private:
  void make_tables();
  void note_changes(SqlSession& session, bool rolled_back);
  void must(MySqlConnection& db, const std::string& sql) {
    const Reply reply = db.query(sql);
    if (!reply.ok()) throw HarnessError("the explorer's tables: " + reply.message + " in: " + sql);
  }
  std::string quoted(const std::string& text) { return beside_->quote(text); }

  SqlFile statements_;
  std::vector<SqlSession> sessions_;
  std::optional<MySqlConnection> beside_;
  std::optional<MySqlConnection> reader_;
  bool whole_seconds_ = false;
  std::map<std::string, bool> at_any_time_;  // by statement
  SqlTables tables_;
  std::set<std::string> changes_;  // of this schedule, in transactions
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
  const std::string schema = statements_.has("schema") ? statements_.text("schema") : "";
  const bool fills_in = may_read_clock(schema) || contains(schema, "TIMESTAMP");  // as a default, or at each change
  for (const auto& name : statements_.names()) {
    const std::string text = statements_.text(name);
    whole_seconds_ = whole_seconds_ || may_tell_whole_seconds(text);
    const bool writes = begins(text, "INSERT") || begins(text, "UPDATE") || begins(text, "REPLACE");
    at_any_time_[name] = !may_read_clock(text) && !(writes && fills_in);
  }
  MySqlConnection server(address_of(spec, host, ""));
  must(server, "CREATE DATABASE IF NOT EXISTS " + database_);
  beside_.emplace(address_of(spec, host, database_));
  reader_.emplace(address_of(spec, host, database_));
  for (std::size_t i = 0; i < spec.sessions; ++i) sessions_.emplace_back(address_of(spec, host, database_));
}

void SqlStore::begin(std::int64_t, Beginning beginning) {
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    if (holds_session(i)) end_session(i);
  }
  changes_.clear();
  for (auto& session : sessions_) session.changes.clear();
  const bool transactions = statements_.has("begin");  // what they deleted would be in the way of others
  if (transactions) must(*beside_, "COMMIT");
  if (beginning == Beginning::new_tables) make_tables();
  if (beginning == Beginning::emptied) tables_.empty(*reader_, transactions);
  if (transactions) must(*beside_, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
}

void SqlStore::make_tables() {
  must(*beside_, "DROP DATABASE " + database_ + "; CREATE DATABASE " + database_ + "; USE " + database_);
  if (statements_.has("schema")) must(*beside_, statements_.bind("schema", {}, nullptr));
  for (auto& session : sessions_) must(session.connection, "USE " + database_);
  must(*reader_, "USE " + database_);
  std::vector<std::string> texts;
  for (const auto& name : statements_.names()) {
    if (name != "schema") texts.push_back(statements_.text(name));
  }
  tables_.learn(*reader_, texts);
}

void SqlStore::note_changes(SqlSession& session, bool rolled_back) {
  const std::string changes = std::exchange(session.changes, "");
  if (!changes.empty()) changes_.insert((rolled_back ? "undone: " : "") + changes);
}

// A transaction that is over leaves its deleted rows, which the server keeps as long as somebody might read them, and
// which later transactions lock. So what was changed by each transaction is told too, without an order among them: which
// came last is seen in the rows. A transaction that is open has locks, which nothing tells.
std::optional<std::vector<StoredRow>> SqlStore::content(const std::string& prefix) {
  if (std::any_of(sessions_.begin(), sessions_.end(), [](const SqlSession& s) { return s.transaction; })) {
    return std::nullopt;
  }
  auto out = tables_.rows(*reader_, prefix);
  if (!out) return out;
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    for (const auto& [name, times] : sessions_[i].own_locks) {
      out->push_back({{kOwnLock, std::to_string(i), name, std::to_string(times)}, StoredRow{}.gone_after_us});
    }
  }
  for (const auto& change : changes_) out->push_back({{kChange, change}, StoredRow{}.gone_after_us});
  return out;
}

bool SqlStore::put(const std::vector<StoredRow>& rows) {
  const auto is_row = [](const StoredRow& row) {
    return row.fields.front() != kOwnLock && row.fields.front() != kChange;
  };
  if (statements_.has("begin") || !std::all_of(rows.begin(), rows.end(), is_row)) return false;
  SqlTables::put(*reader_, rows);
  return true;
}

Command SqlStore::bind(std::size_t, std::string_view statement, Params params) {
  const auto quote = [this](const std::string& text) { return quoted(text); };
  Command out{std::string(statement), statements_.bind(statement, params, quote), {}};
  out.at_any_time = at_any_time_.at(out.statement);
  return out;
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
    if (out.reply.error != kDeadlock) return out;
    session.transaction = false;
    note_changes(session, true);
    return out;
  }
  if (out.reply.affected > 0 && statements_.has("begin")) session.changes += text + "; ";
  if (begins(text, "START TRANSACTION") || begins(text, "BEGIN")) session.transaction = true;
  if (begins(text, "COMMIT") || begins(text, "ROLLBACK")) session.transaction = false;
  if (!session.transaction) note_changes(session, begins(text, "ROLLBACK"));
  if (session_lock) count_own_lock(session, text, out.reply);
  return out;
}

void SqlStore::end_session(std::size_t number) {
  SqlSession& session = sessions_[number];
  if (!holds_session(number)) return;
  must(session.connection, "ROLLBACK; DO RELEASE_ALL_LOCKS()");
  session.transaction = false;
  session.own_locks.clear();
  note_changes(session, true);
}

}  // namespace

std::unique_ptr<SteppedStore> make_sql_store(const StoreSpec& spec, const std::string& host) {
  return std::make_unique<SqlStore>(spec, host);
}

}  // namespace holdfast
