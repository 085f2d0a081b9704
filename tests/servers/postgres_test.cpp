// Parts of PostgreSQL that need no server: classes of its errors, and explore's reading of statements.
#include <gtest/gtest.h>

#include "lock/lock.hpp"
#include "servers/postgres/pg_clock.hpp"
#include "servers/postgres/pg_connection.hpp"
#include "servers/postgres/pg_errors.hpp"
#include "servers/postgres/postgres_settings.hpp"
#include "servers/server_type.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

ErrorKind sorted(const char* sqlstate) {
  return pg_refused(sqlstate, "").kind;
}

TEST(PostgresErrors, AreClassifiedByErrorKind) {
  EXPECT_EQ(sorted("23505"), ErrorKind::duplicate);
  for (const char* state : {"55P03", "40001", "40P01"}) EXPECT_EQ(sorted(state), ErrorKind::conflict) << state;
  for (const char* state : {"57P01", "57P03", "53300", "08006", "25006"}) {
    EXPECT_EQ(sorted(state), ErrorKind::unavailable) << state;
  }
  for (const char* state : {"25P02", "42P01", "57014", "23503", ""})
    EXPECT_EQ(sorted(state), ErrorKind::unknown) << state;
}

TEST(PostgresErrors, TextBeginsWithTheSqlState) {
  EXPECT_EQ(pg_refused("23505", "duplicate key").message, "23505: duplicate key");
}

TEST(PostgresClock, FindsWordsThatReadTheClock) {
  for (const char* sql : {"SELECT now()", "x <= NOW ()", "clock_timestamp()", "statement_timestamp()", "'now'"}) {
    EXPECT_TRUE(may_read_pg_clock(sql)) << sql;
  }
  for (const char* sql : {"SELECT known()", "UPDATE t SET a = 1", "a_timestamp", "'nowhere'"}) {
    EXPECT_FALSE(may_read_pg_clock(sql)) << sql;
  }
}

TEST(PostgresClock, FindsWordsThatCannotBeReplaced) {
  EXPECT_EQ(fixed_clock_word("x < CURRENT_TIMESTAMP"), "CURRENT_TIMESTAMP");
  EXPECT_EQ(fixed_clock_word("x < localtime"), "localtime");
  EXPECT_EQ(fixed_clock_word("SELECT pg_catalog.now()"), "pg_catalog.");
  EXPECT_EQ(fixed_clock_word("x < now() AND my_current_timestamp > 1"), "");
}

TEST(PostgresClock, SettingHasBothTimes) {
  EXPECT_EQ(clock_setting(1'893'499'200'400'000, 1'893'499'199'000'001),
            "SET holdfast.now = '2030-01-01 12:00:00.400000+00'; "
            "SET holdfast.begun = '2030-01-01 11:59:59.000001+00'; ");
}

TEST(PostgresText, FindsHiddenState) {
  for (const char* sql :
       {"SELECT nextval('s')", "SET a = 1", "CREATE TABLE t ()", "SELECT 1; NOTIFY x", "SELECT random()"}) {
    EXPECT_TRUE(may_hide_pg_state(sql)) << sql;
  }
  for (const char* sql :
       {"UPDATE t SET a = 1", "SELECT pg_try_advisory_lock(1)", "BEGIN", "INSERT INTO t VALUES (1)"}) {
    EXPECT_FALSE(may_hide_pg_state(sql)) << sql;
  }
}

TEST(PostgresText, FindsTruncationToSeconds) {
  EXPECT_TRUE(may_cut_pg_seconds("date_trunc('second', now())"));
  EXPECT_TRUE(may_cut_pg_seconds("now()::date"));
  EXPECT_TRUE(may_cut_pg_seconds("x timestamp(0)"));
  EXPECT_FALSE(may_cut_pg_seconds("expires_at <= now() + 5 * interval '1 second'"));
}

// Without TLS any server that answers could ask for it in clear text. No server is asked here.
TEST(PostgresConnection, APasswordGoesToNoOtherMachineWithoutTls) {
  PgAddress address;
  address.host = "192.0.2.1";
  address.password = "secret";
  try {
    PgConnection(address).connect();
    FAIL() << "it connected";
  } catch (const StatementFailed& failed) {
    EXPECT_TRUE(failed.definite);
    EXPECT_TRUE(contains(failed.what(), "tls=required")) << failed.what();
    EXPECT_FALSE(contains(failed.what(), "secret")) << failed.what();
  }
}

TEST(PostgresTarget, IsNamed) {
  const Target t = parse_target("postgres://me@db.example/app?tls=required");
  EXPECT_EQ(t.server, "postgres");
  EXPECT_EQ(t.port, 5432u);
  EXPECT_EQ(t.database, "app");
  EXPECT_TRUE(t.security.tls);
  EXPECT_EQ(t.text(), "postgres://me@db.example:5432/app?tls=required");
  EXPECT_TRUE(contains(refusal([] { parse_target("postgres://db.example/app"); }), "no user"));
  EXPECT_TRUE(contains(refusal([] { parse_target("postgres://me@db.example"); }), "no database"));
}

// The longest name that PostgreSQL takes has 63 letters; a longer one it would cut, and the table would not be ours.
TEST(LocksOnAPostgresTarget, EveryTableOfEveryLockIsSigned) {
  int tables = 0;
  for (const auto& [name, type] : locks()) {
    if (type->server != "postgres" || type->manifest != nullptr) continue;
    const std::string prefix = "holdfast_1a2b3c4d_999999999_";
    const SqlFile file = postgres_file(lock_file(name), prefix);
    if (!file.has("schema")) continue;
    const std::string schema = file.bind("schema", {}, nullptr);
    const auto begin = schema.find(prefix);
    ASSERT_NE(begin, std::string::npos) << schema;
    const std::string table = schema.substr(begin, schema.find_first_of(" (", begin) - begin);
    EXPECT_LE(table.size(), 63u) << table;
    EXPECT_TRUE(contains(schema, "COMMENT ON TABLE " + table + " IS '" + kTableSign + "'")) << schema;
    ++tables;
  }
  EXPECT_GE(tables, 5);
}

}  // namespace
}  // namespace holdfast
