// Errors are sorted where they come from: what the server answered had no effect; a connection that cannot be made had
// none either.
#include "servers/mysql/mysql_errors.hpp"

#include <gtest/gtest.h>

#include "servers/mysql/mysql_connection.hpp"

namespace holdfast {
namespace {

ErrorKind sorted(int error) {
  return mysql_refused(error, "as the test says").kind;
}

TEST(MySqlErrors, EachHasAKind) {
  EXPECT_EQ(sorted(kDuplicateKey), ErrorKind::duplicate);
  for (const int error : {kLockWaitTimeout, kDeadlock, kNowaitRefused, kChangedSinceRead}) {
    EXPECT_EQ(sorted(error), ErrorKind::conflict) << error;
  }
  EXPECT_EQ(sorted(kNotServing), ErrorKind::unavailable);
  constexpr int kOutOfRange = 1690;
  for (const int error : {kNoSuchTable, kErrorInCommit, kOutOfRange}) {
    EXPECT_EQ(sorted(error), ErrorKind::unknown) << error;
  }
}

TEST(MySqlErrors, KeepNumberAndText) {
  const Reply refused = mysql_refused(kDuplicateKey, "Duplicate entry");
  EXPECT_EQ(refused.error, kDuplicateKey);
  EXPECT_EQ(refused.message, "Duplicate entry");
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
