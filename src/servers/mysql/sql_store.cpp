// MariaDB, stepped. The server's time is the session variable `timestamp`. A statement that would wait for a row lock
// is refused immediately (innodb_lock_wait_timeout = 0) and retried later with its original time, because a waiting
// statement keeps its NOW().
//
// An additional connection keeps a read view open during each schedule: otherwise the server's purge would remove
// deleted rows at unpredictable times, and a deleted row behaves differently from a missing one.
#include "servers/mysql/sql_store.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "artifact/error.hpp"
#include "servers/mysql/mysql_connection.hpp"
#include "servers/mysql/mysql_errors.hpp"
#include "servers/mysql/sql_session.hpp"
#include "servers/mysql/sql_text.hpp"
#include "servers/sql_file.hpp"
#include "servers/stepped_store.hpp"

namespace holdfast {
namespace {

// The rows of one schedule in a lock's tables, read from outside and written back.
//
//   SqlTables tables;
//   tables.learn(db, statements);           // finds the tables in the present database
//   auto rows = tables.rows(db, "orders");  // of all keys and owners with this prefix
//   tables.put(db, *rows);                  // writes the missing ones
//
// Rows are found by text columns that lead an index; a table without one cannot be read quickly, and its content is
// unknown. Numbers assigned by the server differ between schedules and are left out. A row's fields are its table with
// its columns, followed by SQL literals.
class SqlTables {
 public:
  // `statements`: all that will be run on them. Columns that they only count up are left out as well.
  void learn(MySqlConnection& db, const std::vector<std::string>& statements);
  std::optional<std::vector<StoredRow>> rows(MySqlConnection& db, const std::string& prefix) const;
  static void put(MySqlConnection& db, const std::vector<StoredRow>& rows);
  void empty(MySqlConnection& db, bool anew) const;  // `anew`: without traces of deleted rows; slower

 private:
  struct Table {
    std::string name;
    std::string columns;  // "owner, token"
    std::string leader;   // the text column that leads an index
  };
  bool readable_ = false;
  std::vector<Table> tables_;
};

// Name of each table, with a text or binary column that leads an index.
constexpr const char* kTables = R"(
  SELECT t.table_name,
    (SELECT MIN(s.column_name) FROM information_schema.statistics s JOIN information_schema.columns k
       ON k.table_schema = s.table_schema AND k.table_name = s.table_name AND k.column_name = s.column_name
     WHERE s.table_schema = t.table_schema AND s.table_name = t.table_name AND s.seq_in_index = 1
       AND (k.data_type LIKE '%char' OR k.data_type = 'varbinary'))
  FROM information_schema.tables t WHERE t.table_schema = DATABASE())";

// Its columns except those filled by the server, and whether a row can be inserted without a value.
constexpr const char* kColumns = R"(
  SELECT column_name, column_default IS NOT NULL FROM information_schema.columns
  WHERE table_schema = DATABASE() AND extra <> 'auto_increment' AND extra NOT LIKE '%GENERATED%' AND table_name = )";

Reply must_answer(MySqlConnection& db, const std::string& sql) {
  Reply reply = db.query(sql);
  if (!reply.ok()) throw HarnessError("the explorer's tables: " + reply.message + " in: " + sql);
  return reply;
}

constexpr const char* kNoWait = "SET SESSION innodb_lock_wait_timeout = 0";
// In the place of a row's table.
constexpr const char* kOwnLock = "a lock of a session";
constexpr const char* kChange = "a change by a transaction";

class SqlStore : public SteppedStore {
 public:
  SqlStore(const StoreSpec& spec, const std::string& host);
  void begin(std::int64_t now_us, Beginning beginning) override;
  Command bind(std::size_t session, std::string_view statement, Params params) override;
  Executed run(std::size_t session, const Command& command, std::int64_t now_us) override;
  void end_session(std::size_t session) override;
  bool holds_session(std::size_t session) const override { return sessions_[session].holds(); }
  bool empties() const override { return false; }
  bool hides_state() const override { return hides_; }
  bool shares_names() const override { return own_locks_; }
  Reply deadlock() const override {
    return mysql_refused(kDeadlock, "Deadlock found when trying to get lock; try restarting transaction");
  }
  std::int64_t tick_us() const override { return 1; }
  bool tells_whole_seconds() const override { return whole_seconds_; }
  std::optional<std::vector<StoredRow>> content(const std::string& prefix) override;
  bool put(const std::vector<StoredRow>& rows) override;

 private:
  void make_tables();
  void keep_changes(SqlSession& session);
  bool has_transactions() const { return statements_.has("begin"); }
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
  bool own_locks_ = false;                   // session locks, which are independent of databases
  bool hides_ = false;                       // some effects of the statements may not show in the tables
  std::map<std::string, bool> at_any_time_;  // by statement
  SqlTables tables_;
  std::set<std::string> changes_;  // of this schedule, in transactions
  std::string database_;
};

SqlStore::SqlStore(const StoreSpec& spec, const std::string& host)
    : statements_(SqlFile::parse(spec.file)), database_("explore_" + std::to_string(spec.worker)) {
  const std::string schema = statements_.has("schema") ? statements_.text("schema") : "";
  const bool fills_in =
      may_read_clock(schema) || contains_text(schema, "TIMESTAMP");  // as a default, or on each change
  for (const auto& name : statements_.names()) {
    const std::string text = statements_.text(name);
    own_locks_ = own_locks_ || of_own_locks(text);
    hides_ = hides_ || (name != "schema" && may_hide_state(text));
    whole_seconds_ = whole_seconds_ || may_tell_whole_seconds(text);
    const bool writes = begins_with(text, "INSERT") || begins_with(text, "UPDATE") || begins_with(text, "REPLACE");
    at_any_time_[name] = !may_read_clock(text) && !(writes && fills_in);
  }
  MySqlConnection server(sql_address(spec, host, "", kNoWait));
  must(server, "CREATE DATABASE IF NOT EXISTS " + database_);
  beside_.emplace(sql_address(spec, host, database_, kNoWait));
  reader_.emplace(sql_address(spec, host, database_, kNoWait));
  const MySqlAddress of_client = sql_address(spec, host, database_, first_of_client(spec, kNoWait));
  for (std::size_t i = 0; i < spec.sessions; ++i) sessions_.emplace_back(of_client);
}

void SqlStore::begin(std::int64_t, Beginning beginning) {
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    end_session(i);
    sessions_[i].take_changes();
  }
  changes_.clear();
  const bool transactions = has_transactions();  // deleted rows would affect other schedules
  if (transactions) must(*beside_, "COMMIT");
  if (beginning == Beginning::new_tables) make_tables();
  if (beginning == Beginning::emptied) tables_.empty(*reader_, transactions);
  if (transactions) must(*beside_, "START TRANSACTION WITH CONSISTENT SNAPSHOT");
}

void SqlStore::make_tables() {
  must(*beside_, "DROP DATABASE " + database_ + "; CREATE DATABASE " + database_ + "; USE " + database_);
  if (statements_.has("schema")) must(*beside_, statements_.bind("schema", {}, nullptr));
  for (auto& session : sessions_) session.anew(database_);
  must(*reader_, "USE " + database_);
  std::vector<std::string> texts;
  for (const auto& name : statements_.names()) {
    if (name != "schema") texts.push_back(statements_.text(name));
  }
  tables_.learn(*reader_, texts);
}

// An ended transaction leaves its deleted rows, which the server keeps as long as a reader might need them, and which
// later transactions lock. So the changes of each transaction are part of the state, without an order among them: the
// rows show the last one. An open transaction has locks, which are not visible.
std::optional<std::vector<StoredRow>> SqlStore::content(const std::string& prefix) {
  if (hides_) return std::nullopt;
  for (const auto& session : sessions_) {
    if (session.transaction()) return std::nullopt;
  }
  auto out = tables_.rows(*reader_, prefix);
  if (!out) return out;
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    for (const auto& [name, times] : sessions_[i].own_locks()) {
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
  if (has_transactions() || !std::all_of(rows.begin(), rows.end(), is_row)) return false;
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
  Executed out = sessions_[number].run(command.text, now_us);
  out.changed = out.changed || hides_;
  keep_changes(sessions_[number]);
  return out;
}

void SqlStore::end_session(std::size_t number) {
  SqlSession& session = sessions_[number];
  if (!session.holds()) return;
  session.end();
  keep_changes(session);
}

void SqlStore::keep_changes(SqlSession& session) {
  for (auto& change : session.take_changes()) {
    if (has_transactions()) changes_.insert(std::move(change));
  }
}

void SqlTables::learn(MySqlConnection& db, const std::vector<std::string>& statements) {
  tables_.clear();
  readable_ = true;
  for (const auto& row : must_answer(db, kTables).rows) {
    Table table{row.at(0).value_or(""), "", row.at(1).value_or("")};
    for (const auto& column : must_answer(db, kColumns + db.quote(table.name)).rows) {
      const std::string name = column.at(0).value_or("");
      if (column.at(1) == "1" && only_counted(name, statements)) continue;
      table.columns += (table.columns.empty() ? "" : ", ") + name;
    }
    readable_ = readable_ && !table.leader.empty();
    tables_.push_back(std::move(table));
  }
}

std::optional<std::vector<StoredRow>> SqlTables::rows(MySqlConnection& db, const std::string& prefix) const {
  if (!readable_) return std::nullopt;
  std::vector<StoredRow> out;
  for (const auto& table : tables_) {
    const std::string read = "SELECT " + table.columns + " FROM " + table.name + " WHERE " + table.leader + " LIKE ";
    for (const auto& row : must_answer(db, read + "'" + prefix + "%'").rows) {
      StoredRow stored;
      stored.fields.push_back(table.name + " (" + table.columns + ")");
      for (const auto& field : row) stored.fields.push_back(field ? db.quote(*field) : "NULL");
      out.push_back(std::move(stored));
    }
  }
  return out;
}

void SqlTables::put(MySqlConnection& db, const std::vector<StoredRow>& rows) {
  std::string sql;
  for (const auto& row : rows) {
    sql += (sql.empty() ? "INSERT INTO " : "; INSERT INTO ") + row.fields.front() + " VALUES (";
    for (std::size_t i = 1; i < row.fields.size(); ++i) sql += (i > 1 ? ", " : "") + row.fields[i];
    sql += ")";
  }
  if (!sql.empty()) must_answer(db, sql);
}

void SqlTables::empty(MySqlConnection& db, bool anew) const {
  for (const auto& table : tables_) must_answer(db, (anew ? "TRUNCATE TABLE " : "DELETE FROM ") + table.name);
}

}  // namespace

std::unique_ptr<SteppedStore> make_sql_store(const StoreSpec& spec, const std::string& host) {
  return std::make_unique<SqlStore>(spec, host);
}

}  // namespace holdfast
