// A transaction dies with its connection, and what is left of it is not run as statements of their own.
#include "store/session.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace holdfast {
namespace {

void run(OpenTransaction& open, const char* statement, bool connected = true) {
  open.before(statement, connected);
  open.after(statement);
}

void expect_lost(OpenTransaction& open, const char* statement) {
  try {
    open.before(statement, false);
    FAIL() << statement << " was let through";
  } catch (const StatementFailed& failed) {
    EXPECT_TRUE(failed.definite) << "nothing was sent, and what was sent before is rolled back";
    EXPECT_EQ(failed.reason, Reason::unavailable);
  }
}

TEST(OpenTransaction, LetsEverythingThroughWhileTheConnectionLives) {
  OpenTransaction open;
  for (const char* statement : {"begin", "insert", "commit", "begin", "select", "rollback", "begin"}) {
    EXPECT_NO_THROW(run(open, statement)) << statement;
  }
  EXPECT_TRUE(open.open());
}

TEST(OpenTransaction, LostConnectionOutsideATransactionIsFine) {
  OpenTransaction open;
  EXPECT_NO_THROW(run(open, "insert", false));
  run(open, "begin");
  run(open, "commit");
  EXPECT_NO_THROW(run(open, "release", false));
}

TEST(OpenTransaction, NothingOfALostTransactionIsRun) {
  OpenTransaction open;
  run(open, "begin");
  expect_lost(open, "insert");
  expect_lost(open, "release");
  expect_lost(open, "commit");
  EXPECT_NO_THROW(run(open, "insert", false)) << "the lock has given the transaction up";
}

TEST(OpenTransaction, ARollbackGivesItUpToo) {
  OpenTransaction open;
  run(open, "begin");
  expect_lost(open, "rollback");
  EXPECT_FALSE(open.open());
}

TEST(OpenTransaction, ANewOneMayBeginAfterALoss) {
  OpenTransaction open;
  run(open, "begin");
  EXPECT_NO_THROW(run(open, "begin", false));
  EXPECT_NO_THROW(run(open, "insert"));
}

// START TRANSACTION would commit the open one unasked.
TEST(OpenTransaction, ForgottenTransactionIsFound) {
  OpenTransaction open;
  run(open, "begin");
  EXPECT_THROW(open.before("begin", true), std::logic_error);
}

TEST(OpenTransaction, AFailedBeginOpensNothing) {
  OpenTransaction open;
  open.before("begin", true);  // and no answer
  EXPECT_FALSE(open.open());
}

}  // namespace
}  // namespace holdfast
