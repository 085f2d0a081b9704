// Overruns that no planned fault covers: undecided as far as measured stalls explain them, else the holder's own doing.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

// Client 1 has a lease of 2 s and believes until 4 s; client 2 is granted the key at 2.11 s and gives it back at 2.2 s.
HistoryBuilder overrun() {
  auto story = HistoryBuilder::run(2000);
  story.acquire(1, 0, 10).acquire(2, 2100, 2110).release(2, 2200, 2210).release(1, 4000, 4010);
  return story;
}

TEST(Stall, WithoutMeasurementAnOverrunIsUndecided) {
  const auto v = overrun().check();
  EXPECT_EQ(said(v, kBelief), "undecided");
  EXPECT_EQ(v.find(kBelief)->reason.find("measured"), std::string::npos);
  EXPECT_EQ(v.find(kBelief)->reason.find("it is not known whether the machine stalled"), 0U);
}

TEST(Stall, AHolderThatNeverWaitedOverranByItself) {
  EXPECT_EQ(said(overrun().measured().check(), kBelief), "violated:overrun");
}

TEST(Stall, AWaitAsLongAsTheOverrunLeavesItUndecided) {
  const auto v = overrun().stall({1}, 900, 4000, 2900).check();
  EXPECT_EQ(said(v, kBelief), "undecided");
  EXPECT_NE(v.find(kBelief)->reason.find("machine stalled 2900 ms: client 1"), std::string::npos)
      << v.find(kBelief)->reason;
  EXPECT_NE(v.find(kBelief)->reason.find("(measured from 0.900 s to 4.000 s: scheduler measured)"), std::string::npos)
      << v.find(kBelief)->reason;
}

TEST(Stall, SeveralWaitsAddUp) {
  auto story = overrun();
  story.stall({1}, 500, 1500, 60).stall({1}, 1600, 2100, 60);
  EXPECT_EQ(said(story.check(), kBelief), "undecided");
}

// The successor's end judges the overlap, at 2.2 s: 200 ms beyond the lease.
TEST(Stall, AWaitThatIsTooShortExplainsNothing) {
  EXPECT_EQ(said(overrun().stall({1}, 1000, 1100, 90).check(), kBelief), "violated:overrun");
  EXPECT_EQ(said(overrun().stall({1}, 1000, 1200, 110).check(), kBelief), "undecided")
      << "less than the bound stays untold";
}

TEST(Stall, OnlyTheHoldersOwnWaitAndTheServersCount) {
  EXPECT_EQ(said(overrun().stall({2}, 900, 4000, 2900).check(), kBelief), "violated:overrun") << "another client's";
  EXPECT_EQ(said(overrun().stall({}, 900, 4000, 2900).check(), kBelief), "undecided") << "the server's";
  auto before = HistoryBuilder::run(2000);
  before.acquire(1, 1000, 1010).acquire(2, 3100, 3110).release(2, 3300, 3310).release(1, 5000, 5010);
  EXPECT_EQ(said(before.stall({1}, 100, 900, 800).check(), kBelief), "violated:overrun") << "before the grant";
}

TEST(Stall, APlannedFaultGoesFirst) {
  auto story = overrun();
  story.fault("pause", "", {1}, 50, 3900).stall({1}, 900, 4000, 2900);
  EXPECT_EQ(said(story.check(), kBelief), "violated:overrun");
}

TEST(Stall, ExcusesNoOverlapInsideTheLeases) {
  auto story = HistoryBuilder::run(2000);
  story.acquire(1, 0, 10).acquire(2, 100, 110).release(2, 200, 210).release(1, 300, 310).stall({1}, 0, 300, 290);
  EXPECT_EQ(said(story.check(), kBelief), "violated:algorithm");
}

}  // namespace
}  // namespace holdfast
