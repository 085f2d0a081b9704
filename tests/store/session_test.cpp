// An error that the server answered is a value, and had no effect.
#include "store/session.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace holdfast {
namespace {

class OneAnswer : public Session {
 public:
  explicit OneAnswer(Reply reply) : reply_(std::move(reply)) {}
  Reply attempt(std::string_view, Params) override { return reply_; }
  std::int64_t now_ns() override { return 0; }
  std::int64_t steady_ns() override { return 0; }
  void sleep_ms(std::int64_t) override {}
  std::string address() const override { return ""; }

 private:
  Reply reply_;
};

TEST(Reply, MissingValueIsAnError) {
  Reply reply;
  reply.rows = {{"7", Field{}, "x"}};
  const auto why = [](const auto& ask) -> std::string {
    try {
      ask();
    } catch (const StatementFailed& failed) {
      EXPECT_FALSE(failed.definite);
      return failed.what();
    }
    return "nothing";
  };
  EXPECT_EQ(reply.number(0, 0), 7);
  EXPECT_EQ(reply.count(0, 0), 7u);
  EXPECT_NE(why([&] { reply.field(1, 0); }).find("1 rows, too few"), std::string::npos);
  EXPECT_NE(why([&] { reply.field(0, 3); }).find("3 columns, too few"), std::string::npos);
  EXPECT_NE(why([&] { reply.text(0, 1); }).find("NULL"), std::string::npos);
  EXPECT_NE(why([&] { reply.number(0, 2); }).find("a number"), std::string::npos);
}

struct Sorted {
  ErrorKind kind;
  Reason reason;
};

TEST(Session, ExecuteThrowsForAnErrorOfTheServer) {
  EXPECT_TRUE(OneAnswer({}).execute("s", {}).ok());
  for (const auto& [kind, reason] : {Sorted{ErrorKind::duplicate, Reason::other},
                                     {ErrorKind::conflict, Reason::conflict},
                                     {ErrorKind::unavailable, Reason::unavailable},
                                     {ErrorKind::unknown, Reason::other}}) {
    try {
      OneAnswer(Reply::refused(kind, 7, "no")).execute("s", {});
      FAIL() << "nothing thrown";
    } catch (const StatementFailed& failed) {
      EXPECT_TRUE(failed.definite);
      EXPECT_EQ(failed.reason, reason);
      EXPECT_EQ(failed.kind, kind);
      EXPECT_EQ(failed.error, 7);
      EXPECT_STREQ(failed.what(), "s: no");
    }
  }
}

TEST(Reply, ARefusalIsNamed) {
  const Reply duplicate = Reply::refused(ErrorKind::duplicate, 7, "");
  EXPECT_FALSE(duplicate.ok() || duplicate.conflict());
  EXPECT_TRUE(duplicate.duplicate_key());
  const Reply conflict = Reply::refused(ErrorKind::conflict, 7, "");
  EXPECT_FALSE(conflict.ok() || conflict.duplicate_key());
  EXPECT_TRUE(conflict.conflict());
}

}  // namespace
}  // namespace holdfast
