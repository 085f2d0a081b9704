// progress: what a cancelled acquire leaves behind, in runs of our own.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kProgressOfOrphans = "progress";
const char* const kOrphan = "violated:orphan_after_cancel";

// Client 1 holds until 1 s; client 2 waited from 0.2 s and cancelled at 0.5 s; client 3 is refused every 100 ms from
// its release on, until `until`, and granted then. A lease of 5 s, which excuses nothing.
HistoryBuilder cancelled(std::int64_t until, EventType how = EventType::fail) {
  auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = header.waits = true; });
  story.acquire(1, 0, 10).op(2, Op::acquire, 200, 500, how, Reason::cancelled).release(1, 990, 1000);
  for (std::int64_t t = 1010; t < until; t += 100) story.refused(3, t, t + 10);
  return story.acquire(3, until, until + 10).release(3, until + 20, until + 30);
}

TEST(Orphans, KeyRefusedAfterItsReleaseIsAnOrphan) {
  const auto v = cancelled(3000).check();
  EXPECT_EQ(said(v, kProgressOfOrphans), kOrphan);
  const PropertyVerdict& p = *v.find(kProgressOfOrphans);
  EXPECT_EQ(p.count, 1) << "one time, however many refusals";
  EXPECT_EQ(p.kinds.size(), 1U) << "and nothing else beside";
  EXPECT_EQ(p.coverage.at("cancelled_acquires"), 1);
  const Witness& witness = p.witnesses.at(0);
  EXPECT_EQ(witness.from_ns, 1'000'000'000);
  EXPECT_EQ(witness.clients, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_NE(witness.text.find("Client 2 asked for \"k0\" at 0.200 s (#2), cancelled the request, and was answered at "
                              "0.500 s (#3) without a grant. From 1.000 s on no client acted as holder of \"k0\""),
            std::string::npos)
      << witness.text;
}

TEST(Orphans, CancelledWaiterDoesNotExcuseTheOrphan) {
  auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = header.waits = true; });
  story.acquire(1, 0, 10).op(2, Op::acquire, 200, 500, EventType::fail, Reason::cancelled).release(1, 990, 1000);
  for (std::int64_t t = 1010; t < 3000; t += 100) story.refused(3, t, t + 90, Reason::cancelled);
  const auto v = story.acquire(3, 3010, 3020).check();
  EXPECT_EQ(said(v, kProgressOfOrphans), kOrphan);
  EXPECT_EQ(v.find(kProgressOfOrphans)->witnesses.at(0).clients, (std::vector<std::uint32_t>{2, 3}))
      << "the first is to blame";
}

TEST(Orphans, OneSecondMayPass) {
  EXPECT_EQ(said(cancelled(1900).check(), kProgressOfOrphans), "holds");
}

TEST(Orphans, UncertainCancelledAcquireMustLeaveNothing) {
  EXPECT_EQ(said(cancelled(3000, EventType::info).check(), kProgressOfOrphans), kOrphan);
}

TEST(Orphans, LastingOrphanIsNotAlsoStuck) {
  auto story = HistoryBuilder::run(500).header([](HistoryHeader& header) { header.cancels = header.waits = true; });
  story.acquire(1, 0, 10).op(2, Op::acquire, 20, 30, EventType::fail, Reason::cancelled).release(1, 40, 50);
  for (std::int64_t t = 60; t < 9000; t += 500) story.refused(3, t, t + 10);
  const auto v = story.check();
  EXPECT_EQ(said(v, kProgressOfOrphans), kOrphan);
  EXPECT_EQ(v.find(kProgressOfOrphans)->kinds.size(), 1U);
}

TEST(Orphans, LeaseMayPassWithoutACancel) {
  auto story = HistoryBuilder::run(5000).acquire(1, 0, 10).refused(2, 200, 500).release(1, 990, 1000);
  for (std::int64_t t = 1010; t < 3000; t += 100) story.refused(3, t, t + 10);
  EXPECT_EQ(said(story.acquire(3, 3000, 3010).check(), kProgressOfOrphans), "holds");
}

TEST(Orphans, AFaultThatMayHaveLostTheCleanUpExcusesIt) {
  EXPECT_EQ(said(cancelled(3000).fault("partition", "partition", {2}, 450, 600).check(), kProgressOfOrphans),
            "not_exercised");
  const auto before = cancelled(3000).fault("pause", "", {2}, 100, 150).check();
  EXPECT_EQ(said(before, kProgressOfOrphans), kOrphan) << "one that was over before it asked does not";
}

TEST(Orphans, HolderWithUncertainReleaseMayHold) {
  for (const EventType how : {EventType::info, EventType::fail}) {
    auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = true; });
    story.acquire(1, 0, 10).op(2, Op::acquire, 200, 500, EventType::fail, Reason::cancelled);
    story.op(1, Op::release, 990, 1000, how, how == EventType::info ? Reason::timeout : Reason::other);
    for (std::int64_t t = 1010; t < 3000; t += 100) story.refused(3, t, t + 10);
    EXPECT_EQ(said(story.acquire(3, 3000, 3010).check(), kProgressOfOrphans), "holds");
  }
}

TEST(Orphans, AnotherAcquireWithoutASureAnswerMayHoldIt) {
  auto story = cancelled(3000);
  EXPECT_EQ(said(story.uncertain(4, Op::acquire, 600, 700).check(), kProgressOfOrphans), "holds");
}

TEST(Orphans, GrantAfterCancelReleasedAtOnceIsFine) {
  auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = true; });
  story.acquire(1, 0, 10).release(1, 490, 500);
  story.op(2, Op::acquire, 200, 510, EventType::ok, Reason::cancelled).release(2, 511, 520);
  const auto v = story.refused(3, 505, 515).acquire(3, 600, 610).check();
  EXPECT_EQ(said(v, kProgressOfOrphans), "holds");
  EXPECT_EQ(v.find(kProgressOfOrphans)->coverage.at("unwanted_grants"), 1);
}

// A client that is refused while a later holder's release is open is refused by that holder.
TEST(Orphans, AReleaseWithoutAnAnswerYetHasFreedNothing) {
  auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = header.waits = true; });
  story.acquire(1, 0, 10).op(2, Op::acquire, 200, 500, EventType::fail, Reason::cancelled).release(1, 990, 1000);
  story.acquire(3, 1010, 1020).refused(4, 2900, 3050).release(3, 3000, 3100);
  EXPECT_EQ(said(story.acquire(4, 3110, 3120).check(), kProgressOfOrphans), "holds");
}

TEST(Orphans, OrphanOfANeverHeldKeyIsReported) {
  auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = header.waits = true; });
  story.op(2, Op::acquire, 200, 500, EventType::fail, Reason::cancelled);
  for (std::int64_t t = 510; t < 3000; t += 100) story.refused(3, t, t + 10);
  const auto v = story.acquire(3, 3010, 3020).check();
  EXPECT_EQ(said(v, kProgressOfOrphans), kOrphan);
  const std::string& text = v.find(kProgressOfOrphans)->witnesses.at(0).text;
  EXPECT_NE(text.find("no client acted as holder of \"k0\", and no fault was active"), std::string::npos) << text;
}

TEST(Orphans, WithoutACancelItIsNotExercised) {
  auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = true; });
  const auto v = story.acquire(1, 0, 10).refused(2, 20, 30).release(1, 40, 50).acquire(2, 60, 70).check();
  EXPECT_EQ(said(v, kProgressOfOrphans), "not_exercised");
  EXPECT_EQ(v.find(kProgressOfOrphans)->reason, "no waiting acquire was cancelled");
}

TEST(Orphans, DelayByAProcessorWaitIsUndecided) {
  EXPECT_EQ(said(cancelled(2200).stall({3}, 1100, 2150, 1000).check(), kProgressOfOrphans), "undecided");
  EXPECT_EQ(said(cancelled(3000).stall({3}, 1100, 2150, 150).check(), kProgressOfOrphans), kOrphan)
      << "it explains too little";
}

// From 1.01 s on client 3 asks every 100 ms, and gives up after 90.
HistoryBuilder given_up_soon() {
  auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = header.waits = true; });
  story.acquire(1, 0, 10).op(2, Op::acquire, 200, 500, EventType::fail, Reason::cancelled).release(1, 990, 1000);
  for (std::int64_t t = 1010; t < 3000; t += 100) story.refused(3, t, t + 90, Reason::cancelled);
  return story.acquire(3, 3010, 3020);
}

// On a machine that is too busy no client is granted anything within the 90 ms after which each of them gives up.
TEST(Orphans, ShortAttemptsOnABusyMachineAreUndecided) {
  EXPECT_EQ(said(given_up_soon().stall({3}, 1100, 2900, 500).check(), kProgressOfOrphans), "undecided");
  EXPECT_EQ(said(given_up_soon().stall({}, 1100, 2900, 500).check(), kProgressOfOrphans), "undecided")
      << "or the server waited";
}

TEST(Orphans, ShortAttemptsOnACalmMachineShowTheOrphan) {
  EXPECT_EQ(said(given_up_soon().stall({3}, 1100, 1350, 110).check(), kProgressOfOrphans), kOrphan);
  EXPECT_EQ(said(given_up_soon().stall({3}, 1100, 2900, 300).check(), kProgressOfOrphans), kOrphan)
      << "1.2 s of 1.8 s are left";
  EXPECT_EQ(said(given_up_soon().stall({4}, 1100, 2900, 900).check(), kProgressOfOrphans), kOrphan) << "another's wait";
}

// They ask in the same moments, and their server's waits disturb all of them.
TEST(Orphans, AskingTimesOfClientsAreNotSummed) {
  auto story = HistoryBuilder::run(5000).header([](HistoryHeader& header) { header.cancels = header.waits = true; });
  story.acquire(1, 0, 10).op(2, Op::acquire, 200, 500, EventType::fail, Reason::cancelled).release(1, 990, 1000);
  for (std::int64_t t = 1010; t < 2600; t += 100) {
    for (const std::uint32_t client : {3U, 4U, 5U}) story.refused(client, t, t + 90, Reason::cancelled);
  }
  EXPECT_EQ(said(story.acquire(3, 2610, 2620).stall({}, 1100, 2500, 300).check(), kProgressOfOrphans), "undecided");
}

}  // namespace
}  // namespace holdfast
