#include "servers/mysql/mysql_sandbox.hpp"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "servers/mysql/lab_address.hpp"
#include "servers/mysql/sql_file.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {
namespace {

constexpr std::chrono::milliseconds kLook{500};
constexpr unsigned kClaimPatience_s = 2;  // of a look: several fit into kGrace

std::chrono::nanoseconds now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

MySqlAddress guarding(MySqlAddress address) {
  address.timeout_s = kClaimPatience_s;
  return address;
}

std::string of_run(const char* function, const std::string& run) {
  return std::string(function) + "('" + run + "'";
}

Reply asked(MySqlConnection& db, const std::string& sql) {
  Reply reply = db.query(sql);
  if (!reply.ok()) throw StatementFailed(false, Reason::other, reply.error, reply.message);
  return reply;
}

bool is_free(MySqlConnection& db, const std::string& run) {
  return asked(db, "SELECT " + of_run("IS_FREE_LOCK", run) + ")").field(0, 0) == "1";
}

}  // namespace

MySqlClaim::MySqlClaim(MySqlAddress address, std::string run)
    : run_(std::move(run)), db_(guarding(std::move(address))), held_(now()) {
  try {
    if (!look()) throw HarnessError("another run has the name " + run_);
    watch_ = std::thread([this] { watch(); });
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the target does not answer: ") + failed.what());
  } catch (const std::system_error& failed) {
    throw HarnessError(std::string("no thread to guard what is on the target: ") + failed.what());
  }
}

MySqlClaim::~MySqlClaim() {
  {
    const std::lock_guard guard(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  watch_.join();
}

void MySqlClaim::watch() {
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kLook, [this] { return over_; })) {
    try {
      look();
    } catch (const StatementFailed&) {  // the next look connects anew; how long it took is seen then
    }
  }
}

// Whether this run has the claim. A session that was cut off on our side may hold it for a while yet.
bool MySqlClaim::look() {
  const Time before = now();
  const Reply reply = asked(db_, "SELECT " + of_run("IS_USED_LOCK", run_) + "), CONNECTION_ID()");
  const Field& holder = reply.field(0, 0);
  const std::string& here = reply.text(0, 1);
  if (!holder) {
    if (asked(db_, "SELECT " + of_run("GET_LOCK", run_) + ", 0)").field(0, 0) != "1") return false;
    session_ = here;
    held_at(now());
    return true;
  }
  if (holder != here && holder != session_) return false;
  held_at(before);
  return true;
}

void MySqlClaim::held_at(Time asked) {
  if (const Time gap = asked - held_; gap >= kGrace) {
    ++gaps_;
    longest_gap_ = std::max(longest_gap_, gap);
  }
  held_ = asked;
}

std::uint64_t MySqlClaim::gaps() {
  const std::lock_guard guard(mutex_);
  try {
    if (!look()) throw HarnessError("another session on the target holds the claim on what " + run_ + " makes there");
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the target does not answer: ") + failed.what());
  }
  return gaps_;
}

void MySqlClaim::expect_no_gap_since(std::uint64_t before) {
  if (gaps() == before) return;
  const std::lock_guard guard(mutex_);
  throw HarnessError(
      "the session that guards this run's tables on the target was cut off, and could not claim them "
      "again for " +
      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(longest_gap_).count()) +
      " s: others may have removed them meanwhile, so this trial says nothing");
}

std::set<std::string> nobody_claims(MySqlConnection& db, const std::vector<std::string>& runs) {
  std::set<std::string> out(runs.begin(), runs.end());
  const auto until = now() + kGrace;
  const auto all_claimed = [&] {
    for (auto run = out.begin(); run != out.end();) run = is_free(db, *run) ? std::next(run) : out.erase(run);
    return out.empty();
  };
  poll_until(all_claimed, kLook.count(), [&] { return now() >= until; });
  return out;
}

MySqlSeizure::MySqlSeizure(MySqlConnection& db, std::string run) : db_(db), run_(std::move(run)) {
  done_ = asked(db_, "SELECT " + of_run("GET_LOCK", run_) + ", 0)").field(0, 0) == "1";
}

MySqlSeizure::~MySqlSeizure() {
  if (!done_) return;
  try {
    db_.query("DO " + of_run("RELEASE_LOCK", run_) + ")");
  } catch (const StatementFailed&) {  // its session is gone, and the lock with it
  }
}

namespace {

constexpr unsigned kLongPatience_s = 20;

// More than the server would compare as one, so that what is only like ours is seen and told. What a server with
// lower-case names calls a database may differ in case from what it was called when it was chosen.
constexpr const char* kLikeOurs =
    "SELECT table_name, table_comment, table_type FROM information_schema.tables WHERE table_schema = DATABASE() AND "
    "(@@lower_case_table_names <> 0 OR BINARY table_schema = BINARY DATABASE()) AND LEFT(table_name, 9) = 'holdfast_' "
    "ORDER BY table_name LIMIT 200000";

// A session that ends while it waits is one whose tables are taken for left behind: it may wait for long.
MySqlAddress patient(const Target& target) {
  MySqlAddress out = mysql_address(target);
  out.timeout_s = kLongPatience_s;
  out.first_statements = {"SET SESSION lock_wait_timeout = 10, wait_timeout = 86400"};
  return out;
}

// A server may keep all names in lower case: then these two are one name to it.
bool same_but_for_case(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

MySqlSandbox::MySqlSandbox(const Target& target, std::string run)
    : target_(target), run_(std::move(run)), db_(patient(target)) {
  db_.connect();
}

MySqlSandbox::~MySqlSandbox() {
  try {
    MySqlSandbox::close();
  } catch (const std::exception&) {  // the next run takes it away
  }
}

// Once more where the session was cut off meanwhile: nothing here does harm twice.
Reply MySqlSandbox::must(const std::string& sql) {
  for (bool again = false;; again = true) {
    try {
      Reply reply = db_.query(sql);
      if (!reply.ok()) throw HarnessError(reply.message + " in: " + sql);
      return reply;
    } catch (const StatementFailed& failed) {
      if (again || failed.reason == Reason::timeout) {
        throw HarnessError(std::string("the target does not answer: ") + failed.what());
      }
    }
  }
}

void MySqlSandbox::begin() {
  claim_ = std::make_unique<MySqlClaim>(mysql_address(target_), run_);
  open_ = true;
  const std::string begin = run_ + "_";
  for (const auto& there : tables()) {
    if (!same_but_for_case(there.name.substr(0, begin.size()), begin)) continue;
    open_ = false;
    throw HarnessError("there is a table " + named(there.name) +
                       " already, which is not this run's; nothing was touched");
  }
  try_rights();
}

// Before anything is made that this user could not take away again. The name tells what it is, should it stay.
void MySqlSandbox::try_rights() {
  const std::string probe = quoted_name(run_ + "_0_probe");
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

std::vector<MySqlSandbox::Table> MySqlSandbox::tables() {
  const Reply reply = must(kLikeOurs);
  std::vector<Table> out;
  for (std::size_t i = 0; i < reply.rows.size(); ++i) {
    const std::string& name = reply.text(i, 0);
    const bool sign = reply.field(i, 1) == kTableSign && reply.field(i, 2) == "BASE TABLE";
    out.push_back({name, sign && is_our_table(name)});
  }
  return out;
}

std::vector<std::string> MySqlSandbox::ours(const std::string& begin) {
  std::vector<std::string> out;
  for (auto& table : tables()) {
    if (table.ours && table.name.rfind(begin, 0) == 0) out.push_back(std::move(table.name));
  }
  return out;
}

void MySqlSandbox::drop(const std::vector<std::string>& tables) {
  for (const auto& table : tables) must("DROP TABLE IF EXISTS " + quoted_name(table));
}

Target MySqlSandbox::begin_trial(const Plan&, std::int64_t) {
  const std::lock_guard guard(mutex_);
  Target out = target_;
  out.prefix = run_ + "_" + std::to_string(++trials_) + "_";
  gaps_before_[out.prefix] = claim_->gaps();
  return out;
}

void MySqlSandbox::end_trial(const Target& there) {
  const std::lock_guard guard(mutex_);
  const std::uint64_t before = gaps_before_.at(there.prefix);
  gaps_before_.erase(there.prefix);
  drop(ours(there.prefix));
  claim_->expect_no_gap_since(before);
}

std::vector<std::string> MySqlSandbox::close() {
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

// One that cannot be removed keeps no other from being.
std::string MySqlSandbox::remove(const std::string& run, const std::vector<std::string>& tables, bool claimed) {
  const std::string what = std::to_string(tables.size()) + " tables " + run + "_...";
  const std::string at_work = what + " belong to a run that is still going; left alone";
  if (claimed) return at_work;
  try {
    MySqlConnection beside(patient(target_));  // an old server lets go of a session's first lock when it takes a second
    const MySqlSeizure seizure(beside, run);
    if (!seizure.done()) return at_work;
    drop(tables);
  } catch (const std::runtime_error& failed) {
    return what + " of a run that was cut short could not all be removed: " + failed.what();
  }
  return what + " of a run that was cut short: removed";
}

Sweep MySqlSandbox::sweep() {
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
  for (const auto& [run, left] : by_run) runs.push_back(run);
  const auto over = nobody_claims(db_, runs);
  for (const auto& [run, left] : by_run) out.done.push_back(remove(run, left, over.count(run) == 0));
  return out;
}

}  // namespace holdfast
