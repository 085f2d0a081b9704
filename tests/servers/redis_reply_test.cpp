// Malformed or endless answers of a Redis server: refused, and stored only up to the limit.
#include "servers/redis/redis_connection.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kSmall = std::size_t{1} << 20U;

// Gives `begin` once, then `again` for ever.
RedisReplies saying(std::string begin, std::string again, std::size_t part = 1000) {
  auto left = std::make_shared<std::string>(std::move(begin));
  return RedisReplies([left, again = std::move(again), part](char* buffer, std::size_t room) {
    if (left->empty() && again.empty()) throw BadAnswer("it is over");
    while (left->size() < part && !again.empty()) *left += again;
    const std::size_t n = std::min({part, room, left->size()});
    left->copy(buffer, n);
    left->erase(0, n);
    return n;
  });
}

std::string refused(const std::string& begin, const std::string& again = "") {
  auto replies = saying(begin, again);
  AnswerLimit limit(kSmall);
  limit.begin();
  try {
    replies.next(limit);
  } catch (const BadAnswer& bad) {
    return bad.what();
  }
  return "nothing";
}

TEST(RedisReplies, MayArriveInPieces) {
  const std::string all = "*4\r\n$3\r\na\r\n\r\n:-7\r\n$-1\r\n*2\r\n+OK\r\n-no\r\n";
  for (std::size_t part = 1; part <= all.size(); ++part) {
    auto replies = saying(all, "", part);
    AnswerLimit limit(kSmall);
    const Reply reply = replies.next(limit);
    ASSERT_EQ(reply.rows.size(), 5u) << part;
    EXPECT_EQ(reply.text(0, 0), "a\r\n");
    EXPECT_EQ(reply.number(1, 0), -7);
    EXPECT_FALSE(reply.field(2, 0));
    EXPECT_EQ(reply.text(4, 0), "no");
  }
}

TEST(RedisReplies, HaveTheirType) {
  const auto form = [](const std::string& text) {
    AnswerLimit limit(kSmall);
    return saying(text, "").next(limit).form;
  };
  EXPECT_EQ(form(":0\r\n"), ReplyForm::number);
  EXPECT_EQ(form("+OK\r\n"), ReplyForm::ok);
  EXPECT_EQ(form("+QUEUED\r\n"), ReplyForm::result);
  EXPECT_EQ(form("$-1\r\n"), ReplyForm::nil);
  EXPECT_EQ(form("*-1\r\n"), ReplyForm::nil);
  EXPECT_EQ(form("*0\r\n"), ReplyForm::result);
  EXPECT_EQ(form("$1\r\n0\r\n"), ReplyForm::result);
}

TEST(RedisReplies, EndlessReplyIsRefused) {
  EXPECT_TRUE(contains(refused("*1000000000\r\n", ":1\r\n"), "more than 1 MiB"));
  EXPECT_TRUE(contains(refused("*1000000000\r\n", "*0\r\n"), "more than 1 MiB"));
  EXPECT_TRUE(contains(refused("*1000000000\r\n", "$-1\r\n"), "more than 1 MiB"));
  EXPECT_TRUE(contains(refused("$9000000000000000000\r\n", "x"), "more than 1 MiB"));
  EXPECT_TRUE(contains(refused("*1\r\n", "*1\r\n"), "deeper than 8"));
  EXPECT_TRUE(contains(refused("+", "x"), "a line has no end"));
}

TEST(RedisReplies, InvalidReplyIsRefused) {
  for (const char* text : {"HTTP/1.1 400\r\n", ":\r\n", ":x\r\n", ":1x\r\n", "$1\r\nab\r\n", "*x\r\n", "%1\r\n", "\r\n",
                           ":99999999999999999999\r\n", "+a\rb\n", "*1\r\n%0\r\n"}) {
    EXPECT_TRUE(contains(refused(text), "does not speak the Redis protocol")) << text;
  }
  EXPECT_TRUE(contains(refused(":1\r\n:2\r\n"), "more data arrived than requested"));
}

RC_GTEST_PROP(RedisReplies, AnyBytesAreReadOrRefused, (const std::string& text)) {
  refused(text);
}

}  // namespace
}  // namespace holdfast
