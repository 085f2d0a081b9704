#include "servers/mysql/mysql_claim.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <system_error>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"

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

}  // namespace holdfast
