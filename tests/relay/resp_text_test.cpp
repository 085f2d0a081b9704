// Commands and answers of Redis as people read them, and which may have changed something.
#include <gtest/gtest.h>

#include "relay/wire.hpp"
#include "tests/relay/relay_lab.hpp"

namespace holdfast {
namespace {

const WireText& text() {
  return protocol("resp").text;
}

TEST(RespText, Commands) {
  EXPECT_EQ(text().request(command({"set", "orders", "a b", "NX", ""})), "SET orders 'a b' NX ''");
  EXPECT_EQ(text().request("get orders\r\n"), "GET ORDERS") << "an inline command is one word";
  EXPECT_EQ(text().request(command({"EVAL", "\n  return 1\n  -- more\n", "1", "orders"})),
            "EVAL 'return 1 ...' 1 orders");
  EXPECT_EQ(text().request(command({"GET", std::string(100, 'x')})), "GET " + std::string(60, 'x') + "...");
  EXPECT_EQ(text().name(command({"SET", "orders"})), "set");
  EXPECT_EQ(text().name(command({"EVALSHA", "0123"})), "eval");
}

TEST(RespText, Answers) {
  EXPECT_EQ(text().reply("+OK\r\n"), "OK");
  EXPECT_EQ(text().reply("$-1\r\n"), "nil");
  EXPECT_EQ(text().reply("_\r\n"), "nil");
  EXPECT_EQ(text().reply(":12\r\n"), "12");
  EXPECT_EQ(text().reply("$3\r\na b\r\n"), "'a b'");
  EXPECT_EQ(text().reply("-ERR no\r\n"), "error: ERR no");
  EXPECT_EQ(text().reply("*2\r\n:1\r\n*1\r\n$1\r\nx\r\n"), "[1, [x]]");
  EXPECT_EQ(text().reply("*2\r\n:1\r\n"), "[1]") << "what is cut off is not made up";
}

TEST(RespText, BrokenRepliesAreReadToTheEnd) {
  EXPECT_EQ(text().reply("\r\n"), "");
  EXPECT_EQ(text().reply("*9223372036854775807\r\n"), "[]");
  EXPECT_EQ(text().reply("%9223372036854775807\r\n:1\r\n"), "[1]");
  EXPECT_EQ(text().reply("$9223372036854775807\r\nab"), "ab");
  EXPECT_EQ(text().request("*1\r\n$9223372036854775807\r\nab"), "");
}

TEST(RespText, ChangesNothing) {
  EXPECT_FALSE(text().may_change(command({"GET", "orders"}), "$1\r\nx\r\n"));
  EXPECT_FALSE(text().may_change(command({"SET", "orders", "x", "NX"}), "$-1\r\n"));
  EXPECT_FALSE(text().may_change(command({"DEL", "orders"}), ":0\r\n"));
  EXPECT_FALSE(text().may_change(command({"EVALSHA", "x", "1", "orders"}), "-NOSCRIPT No matching script\r\n"));
}

TEST(RespText, MayChangeSomething) {
  EXPECT_TRUE(text().may_change(command({"SET", "orders", "x", "NX"}), "+OK\r\n"));
  EXPECT_TRUE(text().may_change(command({"SET", "orders", "x", "GET"}), "$-1\r\n")) << "nil is the old value";
  EXPECT_TRUE(text().may_change(command({"DEL", "orders"}), ":1\r\n"));
  EXPECT_TRUE(text().may_change(command({"DECR", "orders"}), ":0\r\n"));
  EXPECT_TRUE(text().may_change(command({"HSET", "orders", "a", "b"}), ":0\r\n")) << "it replaced a value";
  EXPECT_TRUE(text().may_change(command({"EVAL", "x", "1", "orders"}), ":0\r\n"));
  EXPECT_TRUE(text().may_change(command({"EVAL", "x", "1", "orders"}), "-ERR x\r\n")) << "of its second half";
  EXPECT_TRUE(text().may_change(command({"WATCH", "orders"}), "+OK\r\n"));
  EXPECT_TRUE(text().may_change(command({"GETDEL", "orders"}), ""));
}

}  // namespace
}  // namespace holdfast
