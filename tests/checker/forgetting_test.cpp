// Who is forgotten: only those of whom nothing is to come.
#include <gtest/gtest.h>

#include "checker/tenures.hpp"

namespace holdfast {
namespace {

class Forgetting : public testing::Test, public TenureListener {
 protected:
  void granted(const Tenure&) override {}
  void ended(const Tenure&) override {}
  void say(Op op, EventType type) {
    Event event;
    event.time_ns = ++time_ns_;
    event.op = op;
    event.type = type;
    tenures_.apply(event);
  }
  int open() const {
    int count = 0;
    tenures_.each_open([&](std::uint32_t, const Operation&) { ++count; });
    return count;
  }
  HistoryHeader header_;
  Tenures tenures_{header_, *this};

 private:
  std::int64_t time_ns_ = 0;
};

TEST_F(Forgetting, WhoAsksOrHoldsIsNot) {
  say(Op::acquire, EventType::invoke);
  EXPECT_FALSE(tenures_.forget(0));
  EXPECT_EQ(open(), 1);
  say(Op::acquire, EventType::ok);
  EXPECT_FALSE(tenures_.forget(0));
  EXPECT_EQ(tenures_.believers(0).size(), 1U);
}

TEST_F(Forgetting, WhoRetiredIsAndMayCleanUpAllTheSame) {
  say(Op::acquire, EventType::invoke);
  say(Op::acquire, EventType::info);
  EXPECT_TRUE(tenures_.forget(0));
  EXPECT_FALSE(tenures_.forget(0)) << "it is not known any more";
  say(Op::release, EventType::invoke);
  EXPECT_EQ(tenures_.operation().tenure, nullptr);
  EXPECT_FALSE(tenures_.forget(0));
}

}  // namespace
}  // namespace holdfast
