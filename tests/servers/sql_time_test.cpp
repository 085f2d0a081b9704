#include "servers/mysql/sql_text.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(SqlTime, FunctionsWithoutFractionsGiveWholeSeconds) {
  for (const char* sql : {"SELECT NOW()", "select now()", "a DATETIME NOT NULL", "a TIMESTAMP(3)", "UNIX_TIMESTAMP()",
                          "UNIX_TIMESTAMP(a)", "a + INTERVAL 2 SECOND", "CURRENT_TIMESTAMP",
                          "TIMESTAMPDIFF(MICROSECOND, a, b)", "SYSDATE()", "CURDATE()"}) {
    EXPECT_TRUE(may_tell_whole_seconds(sql)) << sql;
  }
}

TEST(SqlTime, SixDigitsDoNotGiveWholeSeconds) {
  for (const char* sql : {"", "SELECT GET_LOCK(@key, 0)", "a DATETIME(6) NOT NULL",
                          "ON DUPLICATE KEY UPDATE a = UTC_TIMESTAMP(6) + INTERVAL @ttl MICROSECOND"}) {
    EXPECT_FALSE(may_tell_whole_seconds(sql)) << sql;
  }
}

TEST(SqlTime, FindsClockFunctions) {
  for (const char* sql : {"SELECT NOW()", "a <= utc_timestamp(6)", "a TIMESTAMP DEFAULT CURRENT_TIMESTAMP",
                          "UNIX_TIMESTAMP() > 3", "SYSDATE()", "LOCALTIME", "CURDATE()"}) {
    EXPECT_TRUE(may_read_clock(sql)) << sql;
  }
}

TEST(SqlTime, ColumnNamesDoNotReadTheClock) {
  for (const char* sql : {"", "DELETE FROM t WHERE owner = 'A'", "SELECT expire_time FROM t FOR UPDATE", "COMMIT",
                          "SET expire_at = FROM_UNIXTIME(3)", "a TIMESTAMP NULL"}) {
    EXPECT_FALSE(may_read_clock(sql)) << sql;
  }
}

}  // namespace
}  // namespace holdfast
