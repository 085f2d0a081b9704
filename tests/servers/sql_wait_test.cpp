// The wait that a statement asks for, and the statement without it; and statements that leave state outside tables.
#include "servers/mysql/sql_text.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "artifact/units.hpp"
#include "servers/redis/redis_store.hpp"

namespace holdfast {
namespace {

TEST(SqlWait, GetLockTimeoutIsExtracted) {
  const SqlWait wait = without_wait("SELECT GET_LOCK('a, b) GET_LOCK(', 2.5)");
  EXPECT_EQ(wait.text, "SELECT GET_LOCK('a, b) GET_LOCK(', 0)");
  EXPECT_EQ(wait.wait_us, 2 * kSecond_us + kSecond_us / 2);
  EXPECT_EQ(without_wait("SELECT get_lock(CONCAT('a', 'b'), 2)").text, "SELECT get_lock(CONCAT('a', 'b'), 0)");
  EXPECT_EQ(with_wait("SELECT GET_LOCK('a', 2)", 60), "SELECT GET_LOCK('a', 60)");
}

TEST(SqlWait, LockingReadTimeoutIsExtracted) {
  const SqlWait wait = without_wait("SELECT 1 FROM t WHERE k = 'WAIT 7' FOR UPDATE WAIT 3");
  EXPECT_EQ(wait.text, "SELECT 1 FROM t WHERE k = 'WAIT 7' FOR UPDATE WAIT  0");
  EXPECT_EQ(wait.wait_us, 3 * kSecond_us);
}

TEST(SqlWait, NonWaitingStatementIsUnchanged) {
  for (const char* sql : {"SELECT GET_LOCK('a', 0)", "SELECT 'GET_LOCK(a, 2)'", "SELECT 1 FROM t FOR UPDATE NOWAIT",
                          "DELETE FROM t WHERE wait = 1", "SELECT forget_lock('a', 2)"}) {
    EXPECT_EQ(without_wait(sql).text, sql);
    EXPECT_EQ(without_wait(sql).wait_us, 0) << sql;
    EXPECT_EQ(with_wait(sql, 60), sql);
  }
}

TEST(SqlWait, AnUnknownTimeIsRefused) {
  EXPECT_THROW(without_wait("SELECT GET_LOCK('a', 1 + 1)"), Unavailable);
  EXPECT_THROW(without_wait("SELECT GET_LOCK('a', -1)"), Unavailable);
}

TEST(SqlHidden, FindsStateOutsideTables) {
  for (const char* sql : {"CREATE TABLE IF NOT EXISTS t (k INT)", "create temporary table t (k int)",
                          "SELECT 1; DROP TABLE t", "SELECT LAST_INSERT_ID()", "SET SESSION sql_mode = ''",
                          "SELECT @`x` := 1", "SELECT NEXT VALUE FOR s", "SELECT ROW_COUNT()"}) {
    EXPECT_TRUE(may_hide_state(sql)) << sql;
  }
  for (const char* sql : {"UPDATE t\nSET a = 1", "INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 2",
                          "SELECT created FROM t", "START TRANSACTION", "DELETE FROM t WHERE a = @key"}) {
    EXPECT_FALSE(may_hide_state(sql)) << sql;
  }
}

TEST(RedisReads, OnlyKnownCommandsAreReads) {
  for (const char* verb : {"GET", "get", "PTTL", "EVAL_RO"}) EXPECT_TRUE(only_asks({verb, "k"})) << verb;
  for (const char* verb : {"GETSET", "getset", "GETDEL", "GETEX", "EVAL", "SET", "LPOP", "no such"}) {
    EXPECT_FALSE(only_asks({verb, "k"})) << verb;
  }
}

}  // namespace
}  // namespace holdfast
