// Targets of a read/write splitter: chosen by a statement's first word alone.
#include "servers/mysql/mysql_client.hpp"

#include <gtest/gtest.h>

#include "lock/lock.hpp"
#include "servers/redis/redis_file.hpp"
#include "servers/server_type.hpp"
#include "servers/sql_file.hpp"

namespace holdfast {
namespace {

TEST(SplitTo, DependsOnTheFirstWord) {
  EXPECT_EQ(split_to("SELECT 1"), SplitTo::reader);
  EXPECT_EQ(split_to("select a FROM t FOR UPDATE"), SplitTo::reader) << "a read, to a splitter, even if it locks";
  EXPECT_EQ(split_to("\n  SELECT GET_LOCK('k', 0)"), SplitTo::reader);
  EXPECT_EQ(split_to("INSERT INTO t SELECT 1"), SplitTo::writer);
  EXPECT_EQ(split_to("UPDATE t SET a = 1"), SplitTo::writer);
  EXPECT_EQ(split_to("DELETE FROM t"), SplitTo::writer);
  EXPECT_EQ(split_to("SELECTED"), SplitTo::writer);
  for (const char* both : {"START TRANSACTION", "BEGIN;", "commit", "ROLLBACK", "SET SESSION a = 1"}) {
    EXPECT_EQ(split_to(both), SplitTo::both) << both;
  }
}

TEST(SplitTo, SplitsTheLockThatIsMadeForIt) {
  const SqlFile sql = SqlFile::parse(lock_file("for_update_read_split"));
  const auto to = [&sql](const char* name) {
    return split_to(sql.bind(name, {{"key", "k0"}}, [](const std::string& text) { return "'" + text + "'"; }));
  };
  EXPECT_EQ(to("start"), SplitTo::writer);
  EXPECT_EQ(to("select"), SplitTo::reader);
  for (const char* both : {"begin", "commit", "rollback"}) EXPECT_EQ(to(both), SplitTo::both) << both;
}

TEST(SplitStatements, IsConnectedOnlyWithBothServers) {
  MySqlAddress nobody;
  nobody.host = "127.0.0.1";
  nobody.port = 1;
  SplitStatements split(nobody, nobody, SqlFile::parse(lock_file("for_update_read_split")));
  EXPECT_EQ(split.id(), 0u);
  try {
    split.run("begin", {});
    FAIL() << "nobody is there";
  } catch (const StatementFailed& failed) {
    EXPECT_TRUE(failed.definite) << "nothing was sent";
  }
  EXPECT_EQ(split.id(), 0u);
}

}  // namespace
}  // namespace holdfast
