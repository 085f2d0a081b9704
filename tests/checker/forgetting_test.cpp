// Only processes without further events are forgotten.
#include <gtest/gtest.h>

#include "checker/holds.hpp"

namespace holdfast {
namespace {

class Forgetting : public testing::Test, public HoldListener {
 protected:
  void granted(const Hold&) override {}
  void ended(const Hold&) override {}
  void say(Op op, EventType type) {
    Event event;
    event.time_ns = ++time_ns_;
    event.op = op;
    event.type = type;
    holds_.apply(event);
  }
  int open() const {
    int count = 0;
    holds_.each_open([&](std::uint32_t, const Operation&) { ++count; });
    return count;
  }
  HistoryHeader header_;
  Holds holds_{header_, *this};

 private:
  std::int64_t time_ns_ = 0;
};

TEST_F(Forgetting, ActiveProcessIsKept) {
  say(Op::acquire, EventType::invoke);
  EXPECT_FALSE(holds_.forget(0));
  EXPECT_EQ(open(), 1);
  say(Op::acquire, EventType::ok);
  EXPECT_FALSE(holds_.forget(0));
  EXPECT_EQ(holds_.believers(0).size(), 1U);
}

TEST_F(Forgetting, RetiredProcessIsForgottenAndMayCleanUp) {
  say(Op::acquire, EventType::invoke);
  say(Op::acquire, EventType::info);
  EXPECT_TRUE(holds_.forget(0));
  EXPECT_FALSE(holds_.forget(0)) << "it is not known any more";
  say(Op::release, EventType::invoke);
  EXPECT_EQ(holds_.operation().hold, nullptr);
  EXPECT_FALSE(holds_.forget(0));
}

}  // namespace
}  // namespace holdfast
