#include "suite/mysql_place.hpp"

#include <map>
#include <utility>

#include "artifact/error.hpp"
#include "store/sql_file.hpp"

namespace holdfast {
namespace {

constexpr unsigned kPatience_s = 20;
constexpr const char* kAnyRun = "holdfast_[0-9a-f]{8}_.*";
constexpr std::size_t kRunName = 17;  // holdfast_1a2b3c4d

// A session that ends while it waits is one whose tables are taken for left behind: it may wait for long.
MySqlAddress patient(const Target& target) {
  MySqlAddress out = target.mysql();
  out.timeout_s = kPatience_s;
  out.first_statement = "SET SESSION lock_wait_timeout = 10, wait_timeout = 86400";
  return out;
}

std::string quoted(const std::string& table) {
  return "`" + table + "`";
}

}  // namespace

MySqlPlace::MySqlPlace(const Target& target, std::string run)
    : target_(target), run_(std::move(run)), db_(patient(target)) {
  db_.connect();
}

MySqlPlace::~MySqlPlace() {
  try {
    MySqlPlace::close();
  } catch (const std::exception&) {  // the next run takes it away
  }
}

Reply MySqlPlace::must(const std::string& sql) {
  try {
    Reply reply = db_.query(sql);
    if (!reply.ok()) throw HarnessError(reply.message + " in: " + sql);
    return reply;
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the target does not answer: ") + failed.what());
  }
}

void MySqlPlace::begin() {
  open_ = true;
  show_life();
  if (const auto there = tables(run_ + "_.*", false); !there.empty()) {
    open_ = false;
    throw HarnessError("there is a table " + there.front() + " already, which is not this run's; nothing was touched");
  }
  try_rights();
}

// Before anything is made that this user could not take away again. The name tells what it is, should it stay.
void MySqlPlace::try_rights() {
  const std::string probe = quoted(run_ + "_0_probe");
  const std::string rights = "; this user needs SELECT, INSERT, UPDATE, DELETE, CREATE and DROP there";
  for (const std::string& sql :
       {"CREATE TABLE " + probe + " (n INT PRIMARY KEY) ENGINE = InnoDB COMMENT = '" + kTableSign + "'",
        "INSERT INTO " + probe + " VALUES (1)", "UPDATE " + probe + " SET n = 2", "SELECT n FROM " + probe,
        "DELETE FROM " + probe, "DROP TABLE " + probe}) {
    try {
      must(sql);
    } catch (const HarnessError& refused) {
      const auto left = close();
      throw HarnessError(refused.what() + rights + (left.empty() ? "" : "; " + left.front()));
    }
  }
}

// Held by the session, so it ends with this process at the latest. Asked again where the session was lost.
void MySqlPlace::show_life() {
  if (must("SELECT GET_LOCK('" + run_ + "', 0)").field(0, 0) != "1") {
    throw HarnessError("another run has the name " + run_);
  }
}

bool MySqlPlace::alive(const std::string& run) {
  return must("SELECT IS_FREE_LOCK('" + run + "')").field(0, 0) != "1";
}

// Of the target's database, by name; `ours`: only those that have our sign.
std::vector<std::string> MySqlPlace::tables(const std::string& pattern, bool ours) {
  std::string sql =
      "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name REGEXP '^" +
      pattern + "$'";
  if (ours) sql += std::string(" AND table_comment = '") + kTableSign + "'";
  std::vector<std::string> out;
  for (const auto& row : must(sql + " ORDER BY table_name").rows) out.push_back(row.at(0).value());
  return out;
}

void MySqlPlace::drop(const std::vector<std::string>& tables) {
  for (const auto& table : tables) must("DROP TABLE " + quoted(table));
}

Target MySqlPlace::begin_trial(const Plan&, std::int64_t) {
  const std::lock_guard guard(mutex_);
  show_life();
  Target out = target_;
  out.prefix = run_ + "_" + std::to_string(++trials_) + "_";
  return out;
}

void MySqlPlace::end_trial(const Target& there) {
  const std::lock_guard guard(mutex_);
  drop(tables(there.prefix + ".*", true));
}

std::vector<std::string> MySqlPlace::close() {
  const std::lock_guard guard(mutex_);
  if (!std::exchange(open_, false)) return {};
  try {
    drop(tables(run_ + "_.*", true));
  } catch (const HarnessError& failed) {
    return {"left on the target " + target_.place() + ": tables " + run_ + "_... (" + failed.what() +
            "); remedy: holdfast clean --target, or DROP TABLE"};
  }
  return {};
}

std::vector<std::string> MySqlPlace::sweep() {
  const std::lock_guard guard(mutex_);
  std::map<std::string, std::vector<std::string>> by_run;
  for (const auto& table : tables(kAnyRun, true)) by_run[table.substr(0, kRunName)].push_back(table);
  std::vector<std::string> out;
  for (const auto& [run, left] : by_run) {
    const std::string what = std::to_string(left.size()) + " tables " + run + "_...";
    if (run == run_) continue;
    if (alive(run)) {
      out.push_back(what + " are of a run that is at work; left alone");
      continue;
    }
    drop(left);
    out.push_back(what + " of a run that was cut short: removed");
  }
  return out;
}

}  // namespace holdfast
