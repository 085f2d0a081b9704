// A watchdog's renewals: they prolong the holder's validity, and inform the holder of nothing.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

// Ownership says `holds` only if another client asked after a lapse.
const char* const kNothingFound = "not_exercised";

HistoryBuilder held() {
  return HistoryBuilder::run(1000).acquire(1, 0, 10);
}

TEST(Background, ARenewalProlongsTheValidity) {
  const auto second_comes_at_1100 = [](HistoryBuilder story) {
    return said(story.acquire(2, 1100, 1110).release(1, 1250, 1260).check(), "lease_exclusion");
  };
  EXPECT_EQ(second_comes_at_1100(held()), "holds") << "the lease was over at 1000";
  EXPECT_EQ(second_comes_at_1100(held().background().renew(1, 300, 310)), "violated:renewed_in_vain");
  EXPECT_EQ(second_comes_at_1100(held().background().uncertain(1, Op::renew, 300, 310)), "holds");
}

TEST(Background, RefusedRenewalKeepsTheBelief) {
  const auto second_comes = [](HistoryBuilder story) {
    return story.acquire(2, 400, 410).release(1, 500, 510).check();
  };
  const auto told = second_comes(held().not_held(1, Op::renew, 300, 310));
  EXPECT_EQ(said(told, "mutual_exclusion"), "holds") << "whoever asks itself hears the answer";
  const auto untold = second_comes(held().background().not_held(1, Op::renew, 300, 310));
  EXPECT_EQ(said(untold, "mutual_exclusion"), "violated:algorithm");
  EXPECT_EQ(said(untold, "ownership"), "violated:lost_lock") << "it is evidence all the same";
}

TEST(Background, ARenewalThatCrossesTheReleaseLosesNothing) {
  auto story = held().release(1, 305, 310).background().not_held(1, Op::renew, 300, 330);
  EXPECT_EQ(said(story.check(), "ownership"), kNothingFound);
  // It does not affect the next grant of the same process either.
  story = held().release(1, 305, 310).acquire(1, 312, 320).background().not_held(1, Op::renew, 300, 330);
  EXPECT_EQ(said(story.check(), "ownership"), kNothingFound);
  story = held().background().not_held(1, Op::renew, 300, 330).release(1, 335, 340);
  EXPECT_EQ(said(story.check(), "ownership"), "violated:lost_lock");
}

TEST(Background, ARenewalOfAnothersLockIsForeign) {
  const auto v = held().acquire(2, 1100, 1110).background().renew(1, 1200, 1210).release(2, 1300, 1310).check();
  EXPECT_EQ(said(v, "ownership"), "violated:foreign_renew");
  EXPECT_EQ(said(v, "lease_exclusion"), "violated:algorithm") << "it was told that it holds";
}

TEST(Background, MainOperationKeepsItsWindow) {
  // The release was sent at 900, before client 2 came at 1110: it may have come first, whatever the watchdog did.
  auto story = held().release(1, 900, 1210).background().uncertain(1, Op::renew, 1150, 1160).acquire(2, 1100, 1110);
  EXPECT_EQ(said(story.check(), "ownership"), kNothingFound);
}

}  // namespace
}  // namespace holdfast
