// Errors are sorted at the seam: an error that the server answered had no effect; a connection that cannot be made had
// none either.
#include "store/session.hpp"

#include <gtest/gtest.h>

#include "servers/mysql/mysql_connection.hpp"

namespace holdfast {
namespace {

class OneAnswer : public Session {
 public:
  explicit OneAnswer(int error) { reply_.error = error; }
  Reply attempt(std::string_view, Params) override { return reply_; }
  std::int64_t now_ns() override { return 0; }
  std::int64_t steady_ns() override { return 0; }
  void sleep_ms(std::int64_t) override {}
  std::string address() const override { return ""; }

 private:
  Reply reply_;
};

TEST(Reply, WhatIsMissingIsTold) {
  Reply reply;
  reply.rows = {{"7", Field{}, "x"}};
  const auto why = [](const auto& ask) -> std::string {
    try {
      ask();
    } catch (const StatementFailed& failed) {
      EXPECT_FALSE(failed.definite);
      return failed.what();
    }
    return "nothing";
  };
  EXPECT_EQ(reply.number(0, 0), 7);
  EXPECT_EQ(reply.count(0, 0), 7u);
  EXPECT_NE(why([&] { reply.field(1, 0); }).find("1 rows, too few"), std::string::npos);
  EXPECT_NE(why([&] { reply.field(0, 3); }).find("3 columns, too few"), std::string::npos);
  EXPECT_NE(why([&] { reply.text(0, 1); }).find("NULL"), std::string::npos);
  EXPECT_NE(why([&] { reply.number(0, 2); }).find("a number"), std::string::npos);
}

TEST(Session, ExecuteThrowsForAnErrorOfTheServer) {
  EXPECT_TRUE(OneAnswer(0).execute("s", {}).ok());
  try {
    OneAnswer(kDuplicateKey).execute("s", {});
    FAIL() << "nothing thrown";
  } catch (const StatementFailed& failed) {
    EXPECT_TRUE(failed.definite);
    EXPECT_EQ(failed.reason, Reason::other);
    EXPECT_EQ(failed.error, kDuplicateKey);
  }
}

TEST(Session, ConflictsAreNamed) {
  for (const int conflict : {kLockWaitTimeout, kDeadlock, kNowaitRefused}) {
    try {
      OneAnswer(conflict).execute("s", {});
      FAIL() << "nothing thrown";
    } catch (const StatementFailed& failed) {
      EXPECT_EQ(failed.reason, Reason::conflict) << conflict;
      EXPECT_TRUE(failed.definite);
    }
  }
  Reply duplicate;
  duplicate.error = kDuplicateKey;
  EXPECT_FALSE(duplicate.conflict());
  EXPECT_TRUE(duplicate.duplicate_key());
}

TEST(Session, AServerThatDoesNotServeIsUnavailable) {
  try {
    OneAnswer(kNotServing).execute("s", {});
    FAIL() << "nothing thrown";
  } catch (const StatementFailed& failed) {
    EXPECT_EQ(failed.reason, Reason::unavailable);
    EXPECT_TRUE(failed.definite);
  }
}

TEST(MySqlConnection, NoServerIsDefinite) {
  MySqlAddress nobody;
  nobody.host = "127.0.0.1";
  nobody.port = 1;  // nothing listens there
  MySqlConnection db(nobody);
  EXPECT_EQ(db.thread_id(), 0u);
  try {
    db.query("SELECT 1");
    FAIL() << "nothing thrown";
  } catch (const StatementFailed& failed) {
    EXPECT_TRUE(failed.definite);
    EXPECT_EQ(failed.reason, Reason::unavailable);
  }
}

}  // namespace
}  // namespace holdfast
