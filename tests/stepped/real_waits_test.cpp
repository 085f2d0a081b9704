// A schedule with waits, once more with real ones: the same where it is true, and every lie in it is seen.
#include "servers/mysql/mysql_waits.hpp"

#include <gtest/gtest.h>

#include "tests/stepped/stepped.hpp"

namespace holdfast {
namespace {

// Session 0 has the row, session 1 waits for it.
struct Waiting : Stepped {
  Waiting() : Stepped("for_update_read_split") {
    run(0, "start");
    run(0, "begin");
    run(0, "select");
    run(1, "begin");
    EXPECT_TRUE(run(1, "select").would_wait);
  }
};

// ... and gets it.
std::vector<StoreCall> a_wait() {
  Waiting it;
  it.run(0, "commit");
  EXPECT_EQ(it.run(1, "select").reply.rows.size(), 1U);
  it.run(1, "commit");
  return it.store.calls();
}

std::string differs(const std::vector<StoreCall>& calls) {
  return RealWaits(mysql_waits(spec_of("for_update_read_split", 3), test_socket()), 3).differs(calls);
}

std::vector<StoreCall> told_otherwise(std::size_t which, const std::function<void(Executed&)>& change) {
  auto calls = a_wait();
  auto other = std::make_shared<Executed>(*calls.at(which).executed);
  change(*other);
  calls[which].executed = other;
  return calls;
}

TEST(RealWaits, MatchSimulatedWaits) {
  EXPECT_EQ(differs(a_wait()), "");
}

TEST(RealWaits, StatementThatShouldWaitButDoesNotIsReported) {
  const auto calls = told_otherwise(2, [](Executed& e) { e.would_wait = true; });
  EXPECT_NE(differs(calls).find("FOR UPDATE' is answered '(orders)', not 'waits"), std::string::npos) << differs(calls);
}

TEST(RealWaits, StatementThatWaitsButShouldNotIsReported) {
  const auto calls = told_otherwise(4, [](Executed& e) { e.would_wait = false; });
  EXPECT_NE(differs(calls).find("waits instead of being answered"), std::string::npos) << differs(calls);
}

TEST(RealWaits, DifferentAnswerIsReported) {
  const auto calls = told_otherwise(6, [](Executed& e) { e.reply.rows.clear(); });
  EXPECT_NE(differs(calls).find("is answered '(orders)', not"), std::string::npos) << differs(calls);
}

// The schedule gives a waiting statement up and goes on with another: the server must not be in it still.
TEST(RealWaits, AStatementThatIsGivenUpIsKilled) {
  Waiting it;
  it.run(1, "rollback");
  it.run(0, "commit");
  EXPECT_EQ(differs(it.store.calls()), "");
}

// Each has a row and asks for the other's. `victim` gives way in the schedule.
std::string of_a_deadlock(std::size_t victim) {
  Stepped it("for_update_read_split");
  for (const char* key : {"one", "two"}) it.run(0, "start", key);
  for (const std::size_t session : {0U, 1U}) it.run(session, "begin");
  it.run(0, "select", "one");
  it.run(1, "select", "two");
  EXPECT_TRUE(it.run(0, "select", "two").would_wait);
  EXPECT_TRUE(it.run(1, "select", "one").would_wait);
  it.store.end_session(victim);
  EXPECT_FALSE(victim == 1 ? it.run(0, "select", "two").would_wait : it.run(1, "select", "one").would_wait);
  return differs(it.store.calls());
}

TEST(RealWaits, ServerChoosesTheDeadlockVictim) {
  const std::string other = "the server chose another victim of the deadlock";
  const std::string first = of_a_deadlock(0);
  const std::string second = of_a_deadlock(1);
  EXPECT_TRUE((first == other && second.empty()) || (first.empty() && second == other)) << first << " | " << second;
}

}  // namespace
}  // namespace holdfast
