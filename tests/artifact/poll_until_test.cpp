// Repeated conditions: number of calls, deadline, result.
#include "artifact/poll_until.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace holdfast {
namespace {

TEST(PollUntil, StopsWhenTheConditionHolds) {
  int asked = 0;
  EXPECT_TRUE(poll_until([&] { return ++asked == 3; }, 1, kNeverTooLate));
  EXPECT_EQ(asked, 3);
}

TEST(PollUntil, AsksOnceAfterTheDeadline) {
  int asked = 0;
  EXPECT_FALSE(poll_until([&] { return ++asked == 3; }, 1, after_ms(0)));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(poll_until([] { return true; }, 1, after_ms(0)));
}

TEST(PollUntil, AsksOnceMoreAfterTheTimeIsUp) {
  bool late = false;
  int asked = 0;
  const auto came_last = [&] {
    ++asked;
    return late;
  };
  EXPECT_TRUE(poll_until(came_last, 1, [&] { return late = asked == 2; }));
  EXPECT_EQ(asked, 3);
}

TEST(PollUntil, GivesUpWhenTheTimeIsUp) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(poll_until([] { return false; }, 1, after_ms(20)));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(20));
}

TEST(PollUntil, ReturnsTheAnswer) {
  int asked = 0;
  const auto answer = [&]() -> std::optional<int> {
    if (++asked < 2) return std::nullopt;
    return 7;
  };
  EXPECT_EQ(poll_until(answer, 1, kNeverTooLate), 7);
  EXPECT_EQ(poll_until([]() -> std::optional<int> { return std::nullopt; }, 1, after_ms(0)), std::nullopt);
}

}  // namespace
}  // namespace holdfast
