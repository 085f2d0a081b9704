// Statements and answers of MySQL and PostgreSQL as people read them, and which may have changed something.
#include <gtest/gtest.h>

#include <string>

#include "relay/sql_words.hpp"
#include "relay/wire.hpp"
#include "tests/relay/recorded.hpp"

namespace holdfast {
namespace {

const std::string kZero(1, '\0');

std::string mysql_query(const std::string& sql) {
  return mysql_packet(0, "\x03" + sql);
}

std::string mysql_ok(unsigned rows, bool in_transaction) {
  const std::string status = std::string(1, in_transaction ? '\x03' : '\x02') + kZero;
  return mysql_packet(1, kZero + static_cast<char>(rows) + kZero + status + kZero + kZero);
}

// One column and rows of it; with an EOF packet after the columns and after the rows.
std::string mysql_rows(const std::string& rows) {
  const std::string eof("\xFE\0\0\x02\0", 5);
  return mysql_packet(1, "\x01") +
         mysql_packet(2,
                      "\x03"
                      "def") +
         mysql_packet(3, eof) + rows + mysql_packet(5, eof);
}

std::string postgres_row(const std::string& value) {
  return postgres_message("D",
                          std::string("\0\1", 2) + postgres_number(static_cast<std::uint32_t>(value.size())) + value);
}

std::string postgres_end(const std::string& tag, char status) {
  return postgres_message("C", tag + kZero) + postgres_message("Z", std::string(1, status));
}

TEST(SqlText, Names) {
  EXPECT_EQ(sql_name("  /* x */ UPDATE locks SET a = 1"), "update");
  EXPECT_EQ(sql_name("-- x\nselect GET_LOCK('orders', 0)"), "get_lock");
  EXPECT_EQ(sql_name("SELECT a FROM locks"), "select");
  EXPECT_EQ(sql_name(""), "statement");
}

TEST(SqlText, OnlyReads) {
  EXPECT_TRUE(sql_only_reads("SELECT owner FROM locks WHERE name = 'orders'"));
  EXPECT_FALSE(sql_only_reads("SELECT owner FROM locks WHERE name = 'orders' FOR UPDATE"));
  EXPECT_FALSE(sql_only_reads("SELECT owner FROM locks LOCK IN SHARE MODE"));
  EXPECT_FALSE(sql_only_reads("SELECT pg_try_advisory_lock(7)"));
  EXPECT_FALSE(sql_only_reads("SELECT 1; DELETE FROM locks"));
  EXPECT_FALSE(sql_only_reads("UPDATE locks SET owner = ''"));
}

TEST(SqlText, MySql) {
  const WireText& text = protocol("mysql").text;
  EXPECT_EQ(text.request(mysql_query("UPDATE locks\n   SET owner = 'A'")), "UPDATE locks SET owner = 'A'");
  EXPECT_EQ(text.reply(mysql_ok(1, false)), "1 row changed");
  EXPECT_EQ(text.reply(mysql_rows("")), "no rows");
  EXPECT_EQ(text.reply(mysql_rows(mysql_packet(4,
                                               "\x02"
                                               "A1"))),
            "('A1')");
  EXPECT_EQ(text.reply(mysql_rows(mysql_packet(4, "\xFB"))), "(NULL)");
  EXPECT_EQ(text.reply(mysql_packet(1, "\xFF\x26\x04#23000Duplicate entry")), "error 1062: Duplicate entry");
  EXPECT_EQ(text.reply(std::string(3, 'x')), "") << "what is cut off is not made up";
}

TEST(SqlText, APreparedStatementIsShownByItsText) {
  const WireText& text = protocol("mysql").text;
  const std::string execute = mysql_packet(0, std::string("\x17\7\0\0\0", 5));
  EXPECT_EQ(text.request({execute, "DELETE FROM locks WHERE name = ?"}), "DELETE FROM locks WHERE name = ?");
  EXPECT_EQ(text.name({execute, "DELETE FROM locks"}), "delete");
  EXPECT_EQ(text.request(execute), "a prepared statement");
}

TEST(SqlText, MySqlMayChange) {
  const WireText& text = protocol("mysql").text;
  EXPECT_FALSE(text.may_change(mysql_query("SELECT a FROM locks"), mysql_rows("")));
  EXPECT_FALSE(text.may_change(mysql_query("UPDATE locks SET a = 1"), mysql_ok(0, false)));
  EXPECT_TRUE(text.may_change(mysql_query("UPDATE locks SET a = 1"), mysql_ok(0, true))) << "rows may stay locked";
  EXPECT_TRUE(text.may_change(mysql_query("UPDATE locks SET a = 1"), mysql_ok(1, false)));
  EXPECT_TRUE(text.may_change(mysql_query("SELECT GET_LOCK('orders', 0)"), mysql_rows("")));
  EXPECT_TRUE(text.may_change(mysql_query("COMMIT"), mysql_ok(0, false)));
  EXPECT_TRUE(text.may_change(mysql_query("SELECT a FROM locks"), "")) << "no reply shows that";
}

TEST(SqlText, Postgres) {
  const WireText& text = protocol("postgres").text;
  const std::string query = postgres_message("Q", "UPDATE locks\n SET a = 1" + kZero);
  EXPECT_EQ(text.request(query), "UPDATE locks SET a = 1");
  EXPECT_EQ(text.name(query), "update");
  EXPECT_EQ(text.reply(postgres_end("UPDATE 1", 'I')), "UPDATE 1");
  EXPECT_EQ(text.reply(postgres_row("t") + postgres_end("SELECT 1", 'I')), "('t')");
  EXPECT_EQ(text.reply(postgres_end("SELECT 0", 'I')), "no rows");
  const std::string error = "SERROR" + kZero + "C23505" + kZero + "Mduplicate key" + kZero + kZero;
  EXPECT_EQ(text.reply(postgres_message("E", error)), "error 23505: duplicate key");
  EXPECT_EQ(text.reply("D"), "") << "what is cut off is not made up";
}

TEST(SqlText, PostgresShowsWhatIsBound) {
  const WireText& text = protocol("postgres").text;
  const std::string bind =
      kZero + kZero + std::string("\0\0\0\1", 4) + postgres_number(2) + "A1" + std::string(2, '\0');
  const std::string series = postgres_message("P", kZero + "DELETE FROM locks WHERE owner = $1" + kZero + "\0\0") +
                             postgres_message("B", bind) + postgres_message("S", "");
  EXPECT_EQ(text.request(series), "DELETE FROM locks WHERE owner = $1 with 'A1'");
}

TEST(SqlText, PostgresMayChange) {
  const WireText& text = protocol("postgres").text;
  const auto query = [](const std::string& sql) { return postgres_message("Q", sql + kZero); };
  EXPECT_FALSE(text.may_change(query("SELECT a FROM locks"), postgres_end("SELECT 0", 'I')));
  EXPECT_FALSE(text.may_change(query("UPDATE locks SET a = 1"), postgres_end("UPDATE 0", 'I')));
  EXPECT_TRUE(text.may_change(query("UPDATE locks SET a = 1"), postgres_end("UPDATE 0", 'T')));
  EXPECT_TRUE(text.may_change(query("UPDATE locks SET a = 1"), postgres_end("UPDATE 1", 'I')));
  EXPECT_TRUE(text.may_change(query("SELECT pg_try_advisory_lock(7)"), postgres_end("SELECT 1", 'I')));
  EXPECT_TRUE(text.may_change(query("COMMIT"), postgres_end("COMMIT", 'I')));
}

}  // namespace
}  // namespace holdfast
