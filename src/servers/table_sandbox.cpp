#include "servers/table_sandbox.hpp"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "servers/sandbox.hpp"
#include "servers/sql_file.hpp"

namespace holdfast {
namespace {

constexpr std::chrono::milliseconds kLook{500};

std::chrono::nanoseconds now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Reply asked(TableSession& db, const std::string& sql) {
  Reply reply = db.query(sql);
  if (!reply.ok()) throw StatementFailed(false, Reason::other, reply.error, reply.message);
  return reply;
}

bool says_yes(const TableWords& words, TableSession& db, const std::string& sql) {
  return asked(db, sql).field(0, 0) == words.yes;
}

// A server may store all names in lower case: then these two are the same name.
bool same_but_for_case(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

// Runs without a claim during all of kGrace. Asks through `db`, and returns immediately if all are claimed.
std::set<std::string> nobody_claims(const TableWords& words, TableSession& db, const std::vector<std::string>& runs) {
  std::set<std::string> out(runs.begin(), runs.end());
  const auto until = now() + kGrace;
  const auto all_claimed = [&] {
    for (auto run = out.begin(); run != out.end();) {
      run = says_yes(words, db, words.is_free(*run)) ? std::next(run) : out.erase(run);
    }
    return out.empty();
  };
  poll_until(all_claimed, kLook.count(), [&] { return now() >= until; });
  return out;
}

}  // namespace

TableClaim::TableClaim(const TableWords& words, std::unique_ptr<TableSession> session, std::string run)
    : words_(words), run_(std::move(run)), db_(std::move(session)), held_(now()) {
  try {
    if (!look()) throw HarnessError("another run has the name " + run_);
    watch_ = std::thread([this] { watch(); });
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the target does not answer: ") + failed.what());
  } catch (const std::system_error& failed) {
    throw HarnessError(std::string("no thread to guard the data on the target: ") + failed.what());
  }
}

TableClaim::~TableClaim() {
  {
    const std::lock_guard guard(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  watch_.join();
}

void TableClaim::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kLook, [this] { return over_; })) {
    try {
      look();
    } catch (const std::exception&) {  // the next look reconnects, and measures the gap
    }
  }
}

// Returns true if this run has the claim. A session that was cut off on our side may still hold it for a while.
bool TableClaim::look() {
  const Time before = now();
  const Reply reply = asked(*db_, words_.holder(run_));
  const Field& holder = reply.field(0, 0);
  const std::string& here = reply.text(0, 1);
  if (!holder) {
    if (!says_yes(words_, *db_, words_.take(run_))) return false;
    session_ = here;
    held_at(now());
    return true;
  }
  if (holder != here && holder != session_) return false;
  held_at(before);
  return true;
}

void TableClaim::held_at(Time asked) {
  if (const Time gap = asked - held_; gap >= kGrace) {
    ++gaps_;
    longest_gap_ = std::max(longest_gap_, gap);
  }
  held_ = asked;
}

std::uint64_t TableClaim::gaps() {
  const std::lock_guard guard(mutex_);
  try {
    if (!look())
      throw HarnessError("another session on the target holds the claim on the tables that " + run_ + " creates there");
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the target does not answer: ") + failed.what());
  }
  return gaps_;
}

void TableClaim::expect_no_gap_since(std::uint64_t before) {
  if (gaps() == before) return;
  const std::lock_guard guard(mutex_);
  throw HarnessError(
      "the session that guards this run's tables on the target was cut off, and could not claim them "
      "again for " +
      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(longest_gap_).count()) +
      " s: another run may have removed them, so this trial has no result");
}

TableSeizure::TableSeizure(const TableWords& words, TableSession& db, std::string run)
    : words_(words), db_(db), run_(std::move(run)) {
  done_ = says_yes(words_, db_, words_.take(run_));
}

TableSeizure::~TableSeizure() {
  if (!done_) return;
  try {
    db_.query(words_.let_go(run_));
  } catch (const std::exception&) {  // its session ended, and the lock with it
  }
}

TableSandbox::TableSandbox(const Target& target, std::string run, const TableWords& words, OpenTables open)
    : words_(words),
      open_tables_(std::move(open)),
      target_(target),
      run_(std::move(run)),
      db_(open_tables_(target_, false)) {
  db_->connect();
}

TableSandbox::~TableSandbox() {
  try {
    TableSandbox::close();
  } catch (const std::exception&) {  // the next run removes it
  }
}

// Retries once if the session was cut off; executing these statements twice is harmless.
Reply TableSandbox::must(const std::string& sql) {
  for (bool again = false;; again = true) {
    try {
      Reply reply = db_->query(sql);
      if (!reply.ok()) throw HarnessError(reply.message + " in: " + sql);
      return reply;
    } catch (const StatementFailed& failed) {
      if (again || failed.reason == Reason::timeout) {
        throw HarnessError(std::string("the target does not answer: ") + failed.what());
      }
    }
  }
}

void TableSandbox::begin() {
  claim_ = std::make_unique<TableClaim>(words_, open_tables_(target_, true), run_);
  open_ = true;
  const std::string begin = run_ + "_";
  for (const auto& there : tables()) {
    if (!same_but_for_case(there.name.substr(0, begin.size()), begin)) continue;
    open_ = false;
    throw HarnessError("there is a table " + named(there.name) +
                       ", which does not belong to this run; nothing was changed");
  }
  try_rights();
}

// Tests the rights before creating anything that this user could not remove. The name identifies it if it stays.
void TableSandbox::try_rights() {
  const std::string probe = quoted_name(run_ + "_0_probe", words_.quote);
  const std::string rights = "; this user needs SELECT, INSERT, UPDATE, DELETE, CREATE and DROP on it";
  for (const std::string& sql :
       {words_.probe(probe), "INSERT INTO " + probe + " VALUES (1)", "UPDATE " + probe + " SET n = 2",
        "SELECT n FROM " + probe, "DELETE FROM " + probe, "DROP TABLE " + probe}) {
    try {
      must(sql);
    } catch (const HarnessError& refused) {
      const auto left = close();
      throw HarnessError(refused.what() + rights + (left.empty() ? "" : "; " + left.front()));
    }
  }
}

std::vector<TableSandbox::Table> TableSandbox::tables() {
  const Reply reply = must(words_.like_ours);
  std::vector<Table> out;
  for (std::size_t i = 0; i < reply.rows.size(); ++i) {
    const std::string& name = reply.text(i, 0);
    const bool sign = reply.field(i, 1) == kTableSign && reply.field(i, 2) == "BASE TABLE";
    out.push_back({name, sign && is_our_table(name)});
  }
  return out;
}

std::vector<std::string> TableSandbox::ours(const std::string& begin) {
  std::vector<std::string> out;
  for (auto& table : tables()) {
    if (table.ours && table.name.rfind(begin, 0) == 0) out.push_back(std::move(table.name));
  }
  return out;
}

// A failure does not stop the removal of others.
void TableSandbox::drop(const std::vector<std::string>& tables) {
  std::string failed;
  for (const auto& table : tables) {
    try {
      must("DROP TABLE IF EXISTS " + quoted_name(table, words_.quote));
    } catch (const HarnessError& why) {
      failed += (failed.empty() ? "" : "; ") + std::string(why.what());
    }
  }
  if (!failed.empty()) throw HarnessError(failed);
}

Target TableSandbox::begin_trial(const Plan&, std::int64_t) {
  const std::lock_guard guard(mutex_);
  Target out = target_;
  out.prefix = run_ + "_" + std::to_string(++trials_) + "_";
  gaps_before_[out.prefix] = claim_->gaps();
  return out;
}

void TableSandbox::end_trial(const Target& there) {
  const std::lock_guard guard(mutex_);
  const std::uint64_t before = gaps_before_.at(there.prefix);
  gaps_before_.erase(there.prefix);
  drop(ours(there.prefix));
  claim_->expect_no_gap_since(before);
}

std::vector<std::string> TableSandbox::close() {
  const std::lock_guard guard(mutex_);
  if (!std::exchange(open_, false)) return {};
  try {
    drop(ours(run_ + "_"));
  } catch (const HarnessError& failed) {
    return {"left on the target " + target_.place() + ": tables " + run_ + "_... (" + failed.what() +
            "); remedy: holdfast clean --target, or DROP TABLE"};
  }
  return {};
}

// A failure does not stop the removal of others.
std::string TableSandbox::remove(const std::string& run, const std::vector<std::string>& tables, bool claimed) {
  const std::string what = std::to_string(tables.size()) + " tables " + run + "_...";
  std::string at_work = what + " belong to a running run; not removed";
  if (claimed) return at_work;
  try {
    // Uses a session of its own: some servers release a session's first lock when it takes a second.
    const auto beside = open_tables_(target_, false);
    const TableSeizure seizure(words_, *beside, run);
    if (!seizure.done()) return at_work;
    drop(tables);
  } catch (const std::runtime_error& failed) {
    return what + " of an interrupted run could not all be removed: " + failed.what();
  }
  return what + " of an interrupted run: removed";
}

Sweep TableSandbox::sweep() {
  const std::lock_guard guard(mutex_);
  std::map<std::string, std::vector<std::string>> by_run;
  Sweep out;
  for (const auto& table : tables()) {
    if (!table.ours) {
      out.foreign.push_back(table.name);
    } else if (const std::string run = run_of(table.name); run != run_) {
      by_run[run].push_back(table.name);
    }
  }
  std::vector<std::string> runs;
  runs.reserve(by_run.size());
  for (const auto& [run, left] : by_run) runs.push_back(run);
  const auto over = nobody_claims(words_, *db_, runs);
  for (const auto& [run, left] : by_run) out.done.push_back(remove(run, left, over.count(run) == 0));
  return out;
}

}  // namespace holdfast
