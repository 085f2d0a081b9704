// The search for a bracket, against locks that are plain functions of an amount.
#include "compare/envelope_search.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

namespace holdfast {
namespace {

using Says = std::function<AtAmount(std::int64_t)>;

EnvelopeBracket found(std::int64_t most, std::int64_t step, const Says& says, int* tried = nullptr) {
  EnvelopeSearch search(most, step);
  int count = 0;
  for (auto batch = search.next(); !batch.empty(); batch = search.next()) {
    for (const auto amount : batch) search.tell(amount, says(amount));
    count += static_cast<int>(batch.size());
    if (count > 1000) throw std::runtime_error("it does not end");
  }
  if (tried != nullptr) *tried = count;
  return search.bracket();
}

Says breaks_from(std::int64_t limit) {
  return [limit](std::int64_t amount) { return amount < limit ? AtAmount::holds : AtAmount::violated; };
}

TEST(EnvelopeSearch, BracketsTheLimitWithinAStep) {
  int tried = 0;
  const auto bracket = found(6000, 50, breaks_from(1930), &tried);
  EXPECT_EQ(bracket.holds_at, 1900);
  EXPECT_EQ(bracket.violated_at, 1950);
  EXPECT_TRUE(bracket.undecided.empty());
  EXPECT_LT(tried, 20);
}

TEST(EnvelopeSearch, UnbreakableLockHoldsAtTheLargestAmount) {
  const auto bracket = found(6000, 50, breaks_from(1'000'000));
  EXPECT_EQ(bracket.holds_at, 6000);
  EXPECT_FALSE(bracket.violated_at);
}

TEST(EnvelopeSearch, LockBrokenWithoutTheFaultHasNoEnvelope) {
  const auto bracket = found(6000, 50, breaks_from(0));
  EXPECT_FALSE(bracket.holds_at);
  EXPECT_EQ(bracket.violated_at, 0);
}

TEST(EnvelopeSearch, UndecidedIsNotSafe) {
  const auto bracket = found(6000, 50, [](std::int64_t amount) {
    if (amount >= 1930) return AtAmount::violated;
    return amount > 800 ? AtAmount::undecided : AtAmount::holds;
  });
  EXPECT_EQ(bracket.holds_at, 800);
  EXPECT_EQ(bracket.violated_at, 1950);
  EXPECT_FALSE(bracket.undecided.empty());
}

TEST(EnvelopeSearch, AnUndecidedEndIsNotSafe) {
  const auto bracket = found(6000, 50, [](std::int64_t a) { return a > 3000 ? AtAmount::undecided : AtAmount::holds; });
  ASSERT_TRUE(bracket.holds_at && !bracket.undecided.empty());
  EXPECT_LE(*bracket.holds_at, 3000);
  EXPECT_EQ(bracket.undecided.back(), 6000);
}

TEST(EnvelopeSearch, ReportsLargerAmountsThatHeld) {
  const auto bracket =
      found(6000, 50, [](std::int64_t a) { return a >= 1000 && a < 5000 ? AtAmount::violated : AtAmount::holds; });
  EXPECT_EQ(bracket.violated_at, 1000);
  EXPECT_EQ(bracket.holds_at, 950);
  EXPECT_FALSE(bracket.holds_beyond.empty());
}

RC_GTEST_PROP(EnvelopeSearch, AlwaysFindsTheLimit, ()) {
  const auto step = *rc::gen::inRange<std::int64_t>(1, 100);
  const auto most = *rc::gen::inRange<std::int64_t>(step, 20'000);
  const auto limit = *rc::gen::inRange<std::int64_t>(1, 25'000);
  const auto bracket = found(most, step, breaks_from(limit));
  if (limit > most) {
    RC_ASSERT(!bracket.violated_at && *bracket.holds_at == most);
  } else {
    RC_ASSERT(*bracket.holds_at < limit && *bracket.violated_at >= limit);
    RC_ASSERT(*bracket.violated_at - *bracket.holds_at <= step);
  }
}

}  // namespace
}  // namespace holdfast
