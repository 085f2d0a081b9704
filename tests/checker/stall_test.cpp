// Overruns and late grants: undecided as far as measured stalls explain them, else the holder's own doing or a fault's.
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

TEST(Stall, UnmeasuredOverrunIsUndecided) {
  const auto v = overrun().check();
  EXPECT_EQ(said(v, kBelief), "undecided");
  EXPECT_EQ(v.find(kBelief)->reason.find("measured"), std::string::npos);
  EXPECT_EQ(v.find(kBelief)->reason.find("the machine may have stalled"), 0U);
}

TEST(Stall, OverrunWithoutWaitsIsViolated) {
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

// Client 2 gives the key back at 2.2 s, which judges the overlap: 200 ms beyond the lease.
TEST(Stall, ExplainsTheOverrunOfAStruckHolder) {
  const auto struck_and_stalled = [](std::int64_t waited) {
    return overrun().fault("partition", "partition", {1}, 50, 1900).stall({1}, 1000, 1300, waited).check();
  };
  const auto v = struck_and_stalled(110);
  EXPECT_EQ(said(v, kBelief), "undecided");
  EXPECT_NE(v.find(kBelief)->reason.find("after its lease had expired; a planned fault had also struck it"),
            std::string::npos)
      << v.find(kBelief)->reason;
  EXPECT_EQ(said(struck_and_stalled(90), kBelief), "violated:overrun");
}

TEST(Stall, UnmeasuredStallsDoNotExcuseAStruckHolder) {
  auto measured = overrun().fault("partition", "partition", {1}, 50, 1900).measured();
  EXPECT_EQ(said(measured.check(), kBelief), "violated:overrun");
  auto short_of_it = HistoryBuilder::run(2000).acquire(1, 0, 10).acquire(2, 2010, 2020).release(1, 2050, 2060);
  short_of_it.release(2, 2200, 2210).measured();
  EXPECT_EQ(said(short_of_it.check(), kBelief), "undecided") << "50 ms may have gone untold";
  EXPECT_EQ(said(short_of_it.fault("partition", "partition", {1}, 50, 1900).check(), kBelief), "violated:overrun");
  EXPECT_EQ(said(overrun().fault("partition", "partition", {1}, 50, 1900).check(), kBelief), "violated:overrun");
}

TEST(Stall, StoppedTimeDoesNotCount) {
  const auto paused = [](std::int64_t until) {
    return overrun().fault("pause", "", {1}, 50, until).stopping().stall({}, 100, 2200, 2050).check();
  };
  EXPECT_EQ(said(paused(3900), kBelief), "violated:overrun") << "the server's wait kept the stopped one from nothing";
  EXPECT_EQ(said(paused(150), kBelief), "undecided");
}

TEST(Stall, ExplainsTheLateGrantToAStruckClient) {
  const auto late = [](std::int64_t waited) {
    auto story = HistoryBuilder::run(1000).fault("hold_request", "late_request", {1}, 50, 300);
    story.acquire(1, 0, 1430).acquire(2, 1190, 1200).release(2, 1500, 1510).release(1, 1600, 1610);
    return said(story.stall({1}, 950, 1400, waited).check(), kBelief);
  };
  EXPECT_EQ(late(400), "undecided");
  EXPECT_EQ(late(250), "violated:late_grant");
}

TEST(Stall, ExcusesNoOverlapInsideTheLeases) {
  auto story = HistoryBuilder::run(2000);
  story.acquire(1, 0, 10).acquire(2, 100, 110).release(2, 200, 210).release(1, 300, 310).stall({1}, 0, 300, 290);
  EXPECT_EQ(said(story.check(), kBelief), "violated:algorithm");
}

}  // namespace
}  // namespace holdfast
