// Readers in a run of ours: they do not exclude each other, a writer excludes and is excluded by all of them, and one
// that was killed keeps writers out only for as long as its lease may last.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

TEST(Readers, ShareTheLock) {
  auto story = HistoryBuilder::run(2000).shared().acquire(1, 0, 10).shared().acquire(2, 20, 30);
  story.release(1, 100, 110).release(2, 120, 130).acquire(3, 140, 150).release(3, 160, 170);
  const auto v = story.check();
  EXPECT_EQ(said(v, "mutual_exclusion"), "holds");
  EXPECT_EQ(said(v, "lease_exclusion"), "holds");
}

TEST(Readers, ExcludeWriters) {
  const auto beside = [](bool reader_first) {
    auto story = HistoryBuilder::run(2000);
    if (reader_first) story.shared();
    story.acquire(1, 0, 10);
    if (!reader_first) story.shared();
    return story.acquire(2, 20, 30).release(1, 100, 110).release(2, 120, 130).check();
  };
  EXPECT_EQ(said(beside(true), "lease_exclusion"), "violated:algorithm");
  EXPECT_EQ(said(beside(false), "lease_exclusion"), "violated:algorithm");
}

// A reader gives back only its own part, even after its lease.
TEST(Readers, ReleaseBesideEachOther) {
  auto story = HistoryBuilder::run(500).shared().acquire(1, 0, 10).shared().acquire(2, 20, 30);
  const auto v =
      story.release(1, 100, 110).release(2, 700, 710).shared().acquire(1, 300, 310).release(1, 720, 730).check();
  EXPECT_EQ(said(v, "ownership"), "holds");
}

TEST(Readers, AWriterWhoseLeaseIsOverMustNotReleaseThem) {
  auto story = HistoryBuilder::run(500).acquire(1, 0, 10).shared().acquire(2, 600, 610);
  EXPECT_EQ(said(story.release(1, 700, 710).release(2, 800, 810).check(), "ownership"), "violated:foreign_release");
}

TEST(Readers, MayHaveOneTokenForAllOfThem) {
  auto story = HistoryBuilder::run(2000).header([](HistoryHeader& header) { header.model = "fenced"; });
  story.token(1).acquire(1, 0, 10).release(1, 20, 30).token(2).shared().acquire(2, 40, 50);
  story.token(2).shared().acquire(3, 60, 70).release(2, 80, 90).release(3, 100, 110);
  EXPECT_EQ(said(story.token(3).acquire(1, 120, 130).release(1, 140, 150).check(), "fencing"), "not_exercised");
  EXPECT_EQ(said(story.token(1).acquire(4, 160, 170).check(), "fencing"), "violated:algorithm");
}

// Reader 1 is killed at 50 ms, its lease of 1.5 s may last until 0.05 + 2 + 1 s. Reader 2 reads on, and in its pauses
// writer 3 is refused. The bound is 3 s.
HistoryBuilder writer_refused_until(std::int64_t until, bool killed = true) {
  auto story = HistoryBuilder::run(1500).shared().acquire(1, 0, 10);
  if (killed) {
    story.nemesis(FaultStep::kill, 50, "kill", "", {1});
  } else {
    story.release(1, 40, 45);
  }
  for (std::int64_t t = 60; t <= until; t += 300) {
    story.shared().acquire(2, t, t + 10).release(2, t + 60, t + 70).refused(3, t + 100, t + 110);
  }
  return story;
}

TEST(Readers, ADeadOneKeepsWritersOutForItsLeaseOnly) {
  EXPECT_EQ(said(writer_refused_until(5900).check(), "progress"), "not_exercised") << "within its lease and the bound";
  EXPECT_EQ(said(writer_refused_until(6600).check(), "progress"), "violated:writer_kept_out");
  EXPECT_EQ(said(writer_refused_until(6600).acquire(3, 6900, 6910).check(), "progress"), "holds");
}

TEST(Readers, AWriterIsKeptOutWhereEachReaderReleased) {
  EXPECT_EQ(said(writer_refused_until(3600, false).check(), "progress"), "violated:client_kept_out");
}

// A writer's release shows that no reader is left, so that what follows counts at once.
TEST(Readers, AWriterThatWasGrantedTheLockShowsThatNoneIsLeft) {
  auto story = HistoryBuilder::run(1500).shared().acquire(1, 0, 10).leave(1, 20);
  story.acquire(4, 30, 40).release(4, 45, 50);
  for (std::int64_t t = 60; t <= 3700; t += 300) {
    story.shared().acquire(2, t, t + 10).release(2, t + 60, t + 70).refused(3, t + 100, t + 110);
  }
  EXPECT_EQ(said(story.check(), "progress"), "violated:client_kept_out");
}

// Without a lease a reader whose release has no answer may stay for ever, whoever else reads.
TEST(Readers, OneThatLeftAnOperationUnansweredMayStayWithoutALease) {
  auto story = HistoryBuilder::run(0).shared().acquire(1, 0, 10).uncertain(1, Op::release, 20, 40);
  for (std::int64_t t = 60; t <= 6600; t += 300) {
    story.shared().acquire(2, t, t + 10).release(2, t + 60, t + 70).refused(3, t + 100, t + 110);
  }
  EXPECT_EQ(said(story.check(), "progress"), "not_exercised");
}

}  // namespace
}  // namespace holdfast
