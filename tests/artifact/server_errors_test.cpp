// Errors of servers in words: numbers of MySQL and MariaDB, SQLSTATEs of PostgreSQL.
#include "artifact/server_errors.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(ServerErrors, HaveTheirNumberAndMeaning) {
  EXPECT_EQ(server_error_text(1213), "error 1213 (deadlock)");
  EXPECT_EQ(server_error_text(1406), "error 1406 (the value is too long for its column)");
  EXPECT_EQ(server_error_text(99), "error 99");
}

TEST(ServerErrors, EachSqlStateHasItsNumber) {
  EXPECT_EQ(number_of_sqlstate("23505"), 23505);
  EXPECT_EQ(number_of_sqlstate("40P01"), 402501);
  EXPECT_EQ(number_of_sqlstate("55P03"), 552503);
  EXPECT_GT(number_of_sqlstate("ZZZZZ"), 0);
  EXPECT_EQ(number_of_sqlstate(""), 0);
}

TEST(ServerErrors, SqlStateRoundTrips) {
  EXPECT_EQ(server_error_text(number_of_sqlstate("23505")), "SQLSTATE 23505 (duplicate key)");
  EXPECT_EQ(server_error_text(number_of_sqlstate("25P02")),
            "SQLSTATE 25P02 (the transaction is aborted, its statements are ignored)");
  EXPECT_EQ(server_error_text(number_of_sqlstate("40P01")), "SQLSTATE 40P01 (deadlock)");
  EXPECT_EQ(server_error_text(number_of_sqlstate("42P01")), "SQLSTATE 42P01");
}

TEST(ServerErrors, UnknownSqlStateIsShownAsNumber) {
  EXPECT_EQ(server_error_text(259999), "SQLSTATE 259999");
  EXPECT_EQ(server_error_text(1234567), "SQLSTATE 1234567");
}

}  // namespace
}  // namespace holdfast
