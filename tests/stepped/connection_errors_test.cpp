// Server errors that leave the effect of a statement unknown, from a real server: SIGNAL raises any error.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/mysql/mysql_errors.hpp"
#include "servers/mysql/sql_session.hpp"
#include "tests/stepped/stepped.hpp"

namespace holdfast {
namespace {

struct Server {
  Reply says(int error) {
    return db.query(
        fmt::format("SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = {}, MESSAGE_TEXT = 'as the test says'", error));
  }
  MySqlConnection db = [] {
    MySqlAddress address;
    address.several_statements = true;
    address.socket = test_socket();
    return MySqlConnection(address);
  }();
};

TEST(ConnectionErrors, ErrorInCommitIsUncertainAndEndsTheSession) {
  Server server;
  server.db.connect();
  try {
    server.says(kErrorInCommit);
    FAIL() << "nothing thrown";
  } catch (const StatementFailed& failed) {
    EXPECT_FALSE(failed.definite) << "it may have taken effect";
    EXPECT_EQ(failed.reason, Reason::other);
    EXPECT_EQ(failed.error, kErrorInCommit);
    EXPECT_NE(std::string(failed.what()).find("as the test says"), std::string::npos) << failed.what();
  }
  EXPECT_EQ(server.db.thread_id(), 0U);
}

TEST(ConnectionErrors, NotServingNodeIsDefiniteAndEndsTheSession) {
  Server server;
  EXPECT_EQ(server.says(kNotServing).error, kNotServing);
  EXPECT_EQ(server.db.thread_id(), 0U);
}

TEST(ConnectionErrors, OtherErrorsAreDefiniteAndKeepTheSession) {
  Server server;
  server.db.connect();
  const auto session = server.db.thread_id();
  for (const int error : {kDuplicateKey, kLockWaitTimeout, kDeadlock}) {
    EXPECT_EQ(server.says(error).error, error);
    EXPECT_EQ(server.db.thread_id(), session);
  }
}

// MariaDB's innodb_snapshot_isolation, which is the default from 11.6 on: the server has rolled the transaction back,
// as after a deadlock, and the lock may ask again.
TEST(ConnectionErrors, ARowThatChangedSinceItWasReadEndsTheTransaction) {
  Server other;
  if (!other.db.query("SET SESSION innodb_snapshot_isolation = ON").ok()) GTEST_SKIP() << "not in this MariaDB";
  ASSERT_TRUE(other.db.query("CREATE DATABASE IF NOT EXISTS snapshots").ok());
  ASSERT_TRUE(other.db.query("CREATE OR REPLACE TABLE snapshots.t (v INT) ENGINE = InnoDB").ok());
  ASSERT_TRUE(other.db.query("INSERT INTO snapshots.t VALUES (1)").ok());
  MySqlAddress address;
  address.several_statements = true;
  address.socket = test_socket();
  SqlSession session(address);
  for (const char* text :
       {"SET SESSION innodb_snapshot_isolation = ON", "START TRANSACTION", "SELECT v FROM snapshots.t"}) {
    ASSERT_TRUE(session.run(text, kNoon_us).reply.ok()) << text;
  }
  ASSERT_TRUE(session.transaction());
  ASSERT_TRUE(other.db.query("UPDATE snapshots.t SET v = 2").ok());
  const Executed executed = session.run("UPDATE snapshots.t SET v = v + 1", kNoon_us);
  EXPECT_EQ(executed.reply.error, kChangedSinceRead) << executed.reply.message;
  EXPECT_EQ(executed.reply.kind, ErrorKind::conflict);
  EXPECT_FALSE(session.transaction());
}

// The columns have been sent then, and the first row: the rest must not pass for an answer without rows.
TEST(ConnectionErrors, ErrorBetweenRowsIsNotAnEmptyAnswer) {
  Server server;
  const Reply reply =
      server.db.query("SELECT 9223372036854775807 - n FROM (SELECT 1 AS n UNION ALL SELECT -1) AS numbers");
  constexpr int kOutOfRange = 1690;
  EXPECT_EQ(reply.error, kOutOfRange);
  EXPECT_TRUE(reply.rows.empty());
  const Reply next = server.db.query("SELECT 7; SELECT 8");
  EXPECT_TRUE(next.ok()) << next.message;
  EXPECT_EQ(next.field(0, 0), "8");
}

}  // namespace
}  // namespace holdfast
