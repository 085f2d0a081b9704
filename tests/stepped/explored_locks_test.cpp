// Locks that are in no catalogue, explored on the server of this test: what they leave where no table shows it, and
// what waits at the server.
#include <gtest/gtest.h>

#include "explore/explorer.hpp"
#include "explore/hidden_state.hpp"
#include "explore/lock_world.hpp"
#include "servers/mysql/mysql_waits.hpp"
#include "tests/stepped/stepped.hpp"

namespace holdfast {
namespace {

// A client that gets 1 as the answer is granted; the answer to its release is ignored.
class AnsweredOne : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply r = session.execute("acquire", {{"key", claim.key}, {"owner", claim.owner}});
    return r.rows.empty() || r.field(0, 0) != "1" ? Answer::busy() : Answer::granted();
  }
  Answer release(Session& session, Claim& claim) override {
    session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
    return Answer::done();
  }
};

// Makes its table when it first needs it; a duplicate key is a refusal, its token is the row's number.
class MakesItsTable : public Lock {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    session.execute("make", {});
    const Reply r = session.attempt("insert", {{"key", claim.key}, {"owner", claim.owner}});
    if (r.duplicate_key()) return Answer::busy();
    const Reply number = session.execute("number", {});
    return Answer::granted(std::stoull(number.field(0, 0).value()));
  }
  Answer release(Session& session, Claim& claim) override {
    const Reply r = session.execute("release", {{"key", claim.key}, {"owner", claim.owner}});
    return r.affected > 0 ? Answer::done() : Answer::not_held();
  }
};

template <class Kind>
LockType type_of() {
  LockType out;
  out.lease = false;
  out.make = [] { return std::unique_ptr<Lock>(new Kind); };
  return out;
}

struct OnServer {
  OnServer(LockType lock_type, std::string sql) : type(std::move(lock_type)), text(std::move(sql)) {
    job.settings.lock = "get_lock";  // for its connection; the type and the statements are given
    job.settings.rounds = 1;
    job.limits = {.bounds = {1, 1, 0}, .budget_s = 100};
    spec.file = {"test.sql", text};
    spec.sessions = LockWorld::sessions(job.settings);
  }
  Explored run() {
    return explore(job, type, {[this](int worker) { return make_sql_store(spec.of(worker), test_socket()); }});
  }
  std::string found() {
    const Explored explored = run();
    std::string out = explored.numbers.complete && explored.grants > 0 ? "" : "? ";
    for (const auto& find : explored.finds) {
      const std::string name = find.violation.invariant + " ";
      if (out.find(name) == std::string::npos) out += name;
    }
    return out;
  }
  LockType type;
  std::string text;  // text of its statements
  ExploreJob job;
  StoreSpec spec;
};

constexpr const char* kWaits =
    "-- name: acquire\nSELECT GET_LOCK(@key, 2), @owner;\n"
    "-- name: release\nSELECT RELEASE_LOCK(@key), @owner;\n";

TEST(ExploredLocks, AnAcquireThatWaitsAtTheServerIsSimulated) {
  OnServer it(type_of<AnsweredOne>(), kWaits);
  it.type.waits = true;
  it.job.limits.bounds = {2, 1, 0};
  EXPECT_EQ(it.found(), "") << "if each wait took its two seconds, the budget would cut the search off";
  it.job.limits.bounds.faults = 1;  // a session that ends takes its lock with it
  EXPECT_EQ(it.found(), "two_holders ");
}

TEST(ExploredLocks, AWaitEndsWithItsTimeOrWithARelease) {
  const StoreSpec spec{.file = {"test.sql", kWaits}, .sessions = 2};
  MemoizedStore store(make_sql_store(spec, test_socket()), std::make_shared<StoreMemory>(), 0);
  store.begin(kNoon_us, Beginning::new_tables);
  const auto run = [&](std::size_t session, std::string_view statement) {
    return store.run(session, store.bind(session, statement, {{"key", "orders"}, {"owner", "A"}}), kNoon_us);
  };
  EXPECT_FALSE(run(0, "acquire").would_wait);
  const Executed waits = run(1, "acquire");
  EXPECT_TRUE(waits.would_wait);
  EXPECT_EQ(waits.wait_us, 2 * kSecond_us);
  EXPECT_EQ(waits.reply.field(0, 0), "0");
  run(0, "release");
  EXPECT_EQ(run(1, "acquire").reply.field(0, 0), "1");
  const auto calls = store.calls();
  store.end_session(1);  // names of such locks are the whole server's
  EXPECT_EQ(RealWaits(mysql_waits(spec, test_socket()), spec.sessions).differs(calls), "")
      << "and so it is with a real wait";
}

constexpr const char* kMakes =
    "-- name: make\nCREATE TABLE IF NOT EXISTS made (lock_key VARCHAR(64) PRIMARY KEY, owner VARCHAR(64),\n"
    "  id INT NOT NULL AUTO_INCREMENT, KEY (id));\n"
    "-- name: insert\nINSERT INTO made (lock_key, owner) VALUES (@key, @owner);\n"
    "-- name: number\nSELECT LAST_INSERT_ID();\n"
    "-- name: release\nDELETE FROM made WHERE lock_key = @key AND owner = @owner;\n";

TEST(ExploredLocks, TablesAndSequencesAreRecreatedForEachSchedule) {
  OnServer it(type_of<MakesItsTable>(), kMakes);
  it.type.fenced = true;
  it.job.limits.bounds = {1, 0, 0};
  for (const int jobs : {1, 2}) {
    it.job.jobs = jobs;
    EXPECT_EQ(it.found(), "") << "tokens rise, for each schedule begins with 1; workers: " << jobs;
  }
  std::string without_a_key = kMakes;
  without_a_key.replace(without_a_key.find(" PRIMARY KEY"), 12, "");
  OnServer flawed(type_of<MakesItsTable>(), without_a_key);
  flawed.job.limits.bounds = {0, 0, 0};
  EXPECT_EQ(flawed.found(), "two_holders ");
}

// Keys of all schedules meet in few rows: fresh names are not enough, and that is not an error of the harness.
constexpr const char* kStriped =
    "-- name: schema\nCREATE TABLE striped (lock_key VARCHAR(8) PRIMARY KEY, owner VARCHAR(64));\n"
    "-- name: make\nDO 1;\n"
    "-- name: insert\nINSERT INTO striped VALUES (CONCAT('s', CRC32(@key) % 4), @owner);\n"
    "-- name: number\nSELECT 1;\n"
    "-- name: release\nDELETE FROM striped WHERE lock_key = CONCAT('s', CRC32(@key) % 4) AND owner = @owner;\n";

TEST(ExploredLocks, TwoWorkersExploreALockWithSharedRows) {
  OnServer it(type_of<MakesItsTable>(), kStriped);
  it.job.jobs = 2;
  it.job.limits.bounds = {1, 0, 0};
  EXPECT_EQ(it.found(), "");
  std::string without_a_key = kStriped;
  without_a_key.replace(without_a_key.find(" PRIMARY KEY"), 12, "");
  OnServer flawed(type_of<MakesItsTable>(), without_a_key);
  flawed.job.jobs = 2;
  flawed.job.limits.bounds = {0, 0, 0};
  EXPECT_EQ(flawed.found(), "two_holders ");
}

// Names of a session's own locks are the whole server's: workers that take the same ones would wait for one another.
TEST(ExploredLocks, WorkersDoNotMeetInALockOfASession) {
  std::string cut = kWaits;
  for (std::size_t at = 0; (at = cut.find("@key", at)) != std::string::npos; at += 12) {
    cut.replace(at, 4, "LEFT(@key, 6)");
  }
  OnServer it(type_of<AnsweredOne>(), cut);
  it.type.waits = true;
  it.job.jobs = 2;
  it.job.limits.bounds = {1, 1, 0};
  EXPECT_EQ(it.found(), "");
}

TEST(ExploredLocks, RandomServerValueIsRefusedByName) {
  OnServer it(type_of<AnsweredOne>(),
              "-- name: acquire\nSELECT 1, RAND(), @key, @owner;\n-- name: release\nSELECT @key, @owner;\n");
  try {
    it.run();
    FAIL() << "nothing was noticed";
  } catch (const HiddenInStore& hidden) {
    EXPECT_NE(std::string(hidden.what()).find("RAND()"), std::string::npos) << hidden.what();
    EXPECT_NE(std::string(hidden.what()).find("emedy"), std::string::npos) << hidden.what();
  }
}

}  // namespace
}  // namespace holdfast
