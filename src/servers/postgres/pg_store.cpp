#include "servers/postgres/pg_store.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "artifact/error.hpp"
#include "servers/postgres/lab_postgres.hpp"
#include "servers/postgres/pg_clock.hpp"
#include "servers/postgres/pg_errors.hpp"
#include "servers/postgres/pg_stepped_session.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kExplorersPatience_ms = 10'000;
constexpr std::int64_t kRefusedAtOnce_ms = 1;  // the shortest lock_timeout

// Each table's name, the text column that leads an index, and its columns. Columns filled by a sequence or the server
// are left out: a restored row with its old number would collide with the sequence's next one.
constexpr const char* kTablesThere = R"(
  SELECT c.relname,
    (SELECT min(a.attname::text) FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
     WHERE i.indrelid = c.oid AND a.atttypid = 'text'::regtype),
    (SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_attribute a
     WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = '' AND a.attgenerated = ''
       AND NOT EXISTS (SELECT 1 FROM pg_attrdef d WHERE d.adrelid = c.oid AND d.adnum = a.attnum
                       AND pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'))
  FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'explore'::regnamespace ORDER BY 1)";

struct ExploredTable {
  std::string name;
  std::string leader;   // empty: rows cannot be found quickly
  std::string columns;  // "owner, token"
};

// Each of them as a literal.
std::string as_literals(const std::string& columns) {
  std::string out;
  for (std::size_t begin = 0, end = 0; begin < columns.size(); begin = end + 2) {
    end = std::min(columns.find(", ", begin), columns.size());
    out += (out.empty() ? "" : ", ") + ("quote_nullable(CAST(" + columns.substr(begin, end - begin)) + " AS text))";
  }
  return out;
}

// In the place of a row's table.
constexpr const char* kSessionLock = "a lock of a session";

class PgStore : public SteppedStore {
 public:
  PgStore(const StoreSpec& spec, const std::string& host);
  void begin(std::int64_t now_us, Beginning beginning) override;
  Command bind(std::size_t session, std::string_view statement, Params params) override;
  Executed run(std::size_t session, const Command& command, std::int64_t now_us) override;
  void end_session(std::size_t session) override;
  bool holds_session(std::size_t session) const override { return sessions_[session].holds(); }
  std::optional<std::vector<StoredRow>> content(const std::string& prefix) override;
  bool put(const std::vector<StoredRow>& rows) override;
  bool empties() const override { return false; }
  bool hides_state() const override { return hides_; }
  Reply deadlock() const override { return pg_refused(kDeadlockDetected, "deadlock detected"); }
  std::int64_t tick_us() const override { return 1; }
  bool tells_whole_seconds() const override { return whole_seconds_; }

 private:
  void read_statements();
  void make_tables();

  SqlFile statements_;
  std::optional<PgConnection> beside_;
  std::vector<PgSteppedSession> sessions_;
  std::vector<ExploredTable> tables_;
  bool whole_seconds_ = false;
  bool hides_ = false;
  bool reads_clock_ = false;                 // at least one statement does
  std::map<std::string, bool> at_any_time_;  // by statement
};

PgStore::PgStore(const StoreSpec& spec, const std::string& host) : statements_(postgres_file(spec.file)) {
  read_statements();
  const std::string database = "explore_" + std::to_string(spec.worker);
  make_explore_database(host, database);
  beside_.emplace(explore_session(spec, host, database, kExplorersPatience_ms));
  for (std::size_t i = 0; i < spec.sessions; ++i) {
    sessions_.emplace_back(explore_session(spec, host, database, kRefusedAtOnce_ms));
  }
}

// A transaction's now() is the time when it began, so BEGIN reads the clock, too.
void PgStore::read_statements() {
  for (const auto& name : statements_.names()) {
    const std::string text = statements_.text(name);
    if (const std::string word = fixed_clock_word(text); !word.empty()) {
      throw Unavailable("explore cannot set the time of " + word + " in the statement " + name +
                        "; remedy: use now(), statement_timestamp() or clock_timestamp(), or holdfast run");
    }
    whole_seconds_ = whole_seconds_ || may_cut_pg_seconds(text);
    reads_clock_ = reads_clock_ || may_read_pg_clock(text);
    hides_ = hides_ || (name != "schema" && may_hide_pg_state(text));
  }
  const bool fills_in = statements_.has("schema") && may_read_pg_clock(statements_.text("schema"));
  for (const auto& name : statements_.names()) {
    const std::string text = statements_.text(name);
    const bool opens = text.rfind("BEGIN", 0) == 0 || text.rfind("START", 0) == 0;
    at_any_time_[name] = !may_read_pg_clock(text) && !(opens && reads_clock_) && !fills_in;
  }
}

void PgStore::begin(std::int64_t, Beginning beginning) {
  for (std::size_t i = 0; i < sessions_.size(); ++i) end_session(i);
  if (beginning == Beginning::new_tables) make_tables();
  if (beginning != Beginning::emptied) return;
  for (const auto& table : tables_) must_answer(*beside_, "TRUNCATE " + table.name);
}

void PgStore::make_tables() {
  for (auto& session : sessions_) session.anew();
  must_answer(*beside_, std::string("DROP SCHEMA IF EXISTS ") + kLockSchema + " CASCADE; CREATE SCHEMA " + kLockSchema);
  if (statements_.has("schema")) must_answer(*beside_, statements_.bind("schema", {}, nullptr));
  tables_.clear();
  for (const auto& row : must_answer(*beside_, kTablesThere).rows) {
    tables_.push_back({row.at(0).value_or(""), row.at(1).value_or(""), row.at(2).value_or("")});
  }
}

// Remains of an ended transaction are invisible, so the rows are the complete state. An open one has locks, which are
// not visible.
std::optional<std::vector<StoredRow>> PgStore::content(const std::string& prefix) {
  if (hides_) return std::nullopt;
  for (const auto& session : sessions_) {
    if (session.transaction()) return std::nullopt;
  }
  std::vector<StoredRow> out;
  for (const auto& table : tables_) {
    if (table.leader.empty()) return std::nullopt;
    const Reply rows =
        must_answer(*beside_, "SELECT " + as_literals(table.columns) + " FROM " + table.name + " WHERE " +
                                  table.leader + " LIKE '" + prefix + "%' ORDER BY " + table.leader);
    for (const auto& row : rows.rows) {
      StoredRow stored;
      stored.fields.push_back(table.name + " (" + table.columns + ")");
      for (const auto& field : row) stored.fields.push_back(field.value_or("NULL"));
      out.push_back(std::move(stored));
    }
  }
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    for (const auto& [name, times] : sessions_[i].own_locks()) {
      out.push_back({{kSessionLock, std::to_string(i), name, std::to_string(times)}, StoredRow{}.gone_after_us});
    }
  }
  return out;
}

bool PgStore::put(const std::vector<StoredRow>& rows) {
  std::string sql;
  for (const auto& row : rows) {
    if (row.fields.front() == kSessionLock) return false;
    sql += (sql.empty() ? "INSERT INTO " : "; INSERT INTO ") + row.fields.front() + " VALUES (";
    for (std::size_t i = 1; i < row.fields.size(); ++i) sql += (i > 1 ? ", " : "") + row.fields[i];
    sql += ")";
  }
  if (!sql.empty()) must_answer(*beside_, sql);
  return true;
}

Command PgStore::bind(std::size_t, std::string_view statement, Params params) {
  const auto quote = [this](const std::string& text) { return beside_->quote(text); };
  Command out{std::string(statement), statements_.bind(statement, params, quote), {}};
  out.at_any_time = at_any_time_.at(out.statement);
  return out;
}

Executed PgStore::run(std::size_t number, const Command& command, std::int64_t now_us) {
  Executed out = sessions_[number].run(command.text, now_us);
  out.changed = out.changed || hides_;
  return out;
}

void PgStore::end_session(std::size_t number) {
  if (sessions_[number].holds()) sessions_[number].end();
}

}  // namespace

void make_explore_database(const std::string& host, const std::string& name) {
  PgConnection server(postgres_in_lab(host));
  must_answer(server, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
  must_answer(server, "CREATE DATABASE " + name);
  PgAddress there = postgres_in_lab(host);
  there.database = name;
  PgConnection db(there);
  must_answer(db, clock_functions() + "CREATE SCHEMA " + kLockSchema);
}

PgAddress explore_session(const StoreSpec& spec, const std::string& host, const std::string& database,
                          std::int64_t lock_timeout_ms) {
  PgAddress out = postgres_in_lab(host);
  out.database = database;
  out.timeout_ms = std::max(kExplorersPatience_ms, 2 * lock_timeout_ms);
  std::string level = spec.isolation;  // "read_committed"
  std::replace(level.begin(), level.end(), '_', ' ');
  out.first_statements = {kFindsOurClock, "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level,
                          "SET lock_timeout = " + std::to_string(lock_timeout_ms),
                          "SET deadlock_timeout = '60s'"};  // the schedule chooses a deadlock's victim
  return out;
}

std::unique_ptr<SteppedStore> make_pg_store(const StoreSpec& spec, const std::string& host) {
  return std::make_unique<PgStore>(spec, host);
}

}  // namespace holdfast
