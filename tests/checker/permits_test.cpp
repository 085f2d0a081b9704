// permits: semaphores and read-write locks, when it fires and when it stays silent, and what it says.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "checker/permit_ledger.hpp"
#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kPermits = "permits";

HistoryBuilder semaphore() {
  return HistoryBuilder::foreign("semaphore:2");
}
HistoryBuilder read_write() {
  return HistoryBuilder::foreign("read_write");
}

TEST(Permits, AllPermitsMayBeHeld) {
  auto story = semaphore();
  story.acquire(1, 0, 10).acquire(2, 5, 20).release(1, 30, 40).acquire(3, 25, 50).release(2, 60, 70);
  EXPECT_EQ(said(story.check(), kPermits), "holds");
  EXPECT_EQ(story.check().find(kPermits)->coverage.at("most_holders"), 2);
}

TEST(Permits, OnePermitTooManyIsViolated) {
  const auto v = semaphore().acquire(1, 0, 10).acquire(2, 5, 20).acquire(3, 25, 30).release(1, 40, 50).check();
  ASSERT_EQ(said(v, kPermits), "violated:too_many_holders");
  const Witness& w = v.find(kPermits)->witnesses.at(0);
  EXPECT_EQ(w.indices, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(w.from_ns, 30'000'000);
  EXPECT_EQ(w.to_ns, 40'000'000);
  EXPECT_NE(w.text.find("From 0.030 s to 0.040 s, 3 permits were held, and there are 2."), std::string::npos) << w.text;
}

TEST(Permits, ProcessMayHoldSeveral) {
  auto story = semaphore();
  story.acquire(1, 0, 10).acquire(1, 20, 30).release(1, 40, 50);
  EXPECT_EQ(said(story.acquire(2, 35, 60).check(), kPermits), "holds");
  EXPECT_EQ(said(story.acquire(3, 35, 70).check(), kPermits), "violated:too_many_holders");
}

TEST(Permits, WitnessSaysThatOneProcessHasBothHolds) {
  const auto text = [](HistoryBuilder& story) { return story.check().find(kPermits)->witnesses.at(0).text; };
  auto twice = read_write();
  twice.shared().acquire(1, 0, 10).acquire(1, 20, 30);
  EXPECT_TRUE(text(twice).ends_with(
      "All holds belong to one process: under this model, a process that acquires again while it holds has another "
      "hold."))
      << text(twice);
  auto two = read_write();
  two.shared().acquire(1, 0, 10).acquire(2, 20, 30);
  EXPECT_EQ(text(two).find("belong to one process"), std::string::npos) << text(two);
}

TEST(Permits, SharedHoldsShareAndAnExclusiveOneIsAlone) {
  auto story = read_write();
  story.shared().acquire(1, 0, 10).shared().acquire(2, 0, 20).shared().acquire(3, 0, 30);
  EXPECT_EQ(said(story.check(), kPermits), "holds");
  story.acquire(4, 0, 40);
  const auto v = story.check();
  ASSERT_EQ(said(v, kPermits), "violated:too_many_holders");
  EXPECT_EQ(v.find(kPermits)->witnesses.at(0).clients.size(), 2U) << "any one reader is enough";
}

TEST(Permits, AWriterMayFollowTheReadersAtTheSameMoment) {
  auto story = read_write();
  story.shared().acquire(1, 0, 10).acquire(2, 15, 30).release(1, 30, 40);
  EXPECT_EQ(said(story.check(), kPermits), "holds");
}

TEST(Permits, FailedReleaseHasNoEffect) {
  auto story = read_write();
  story.acquire(1, 0, 10).op(1, Op::release, 20, 50, EventType::fail, Reason::conflict);
  EXPECT_EQ(said(story.check(), kPermits), "holds");
  story.shared().acquire(2, 25, 30).release(2, 40, 45);
  EXPECT_EQ(said(story.check(), kPermits), "violated:too_many_holders") << "while the release that failed was called";
}

TEST(Permits, UncertainReleaseMayHaveTakenEffect) {
  auto story = read_write();
  story.acquire(1, 0, 10).uncertain(1, Op::release, 20, 25).acquire(2, 30, 40).release(2, 50, 60);
  EXPECT_EQ(said(story.check(), kPermits), "holds");
  story.release(1, 70, 80);
  EXPECT_EQ(said(story.check(), kPermits), "violated:too_many_holders")
      << "it had not, if it was still to be given back";
}

TEST(Permits, CleanUpNeedsRoom) {
  auto chain = read_write();
  chain.uncertain(9, Op::acquire, 0, 5).shared().acquire(1, 10, 20).shared().acquire(2, 10, 40);
  chain.release(1, 50, 55).release(2, 80, 85);
  auto inside = chain;
  const auto v = inside.release(9, 30, 70).check();
  ASSERT_EQ(said(v, kPermits), "violated:too_many_holders") << "one reader after the other";
  EXPECT_EQ(v.find(kPermits)->witnesses.at(0).clients.size(), 3U);
  auto longer = chain;
  EXPECT_EQ(said(longer.release(9, 30, 80).check(), kPermits), "holds") << "just when the last reader leaves";
}

TEST(Permits, FailedReleaseReopensACleanUp) {
  auto story = read_write();
  story.uncertain(9, Op::acquire, 0, 5).acquire(1, 10, 20).release(9, 35, 40);
  auto released = story;
  EXPECT_EQ(said(released.release(1, 30, 60).check(), kPermits), "holds");
  EXPECT_EQ(said(story.op(1, Op::release, 30, 60, EventType::fail, Reason::conflict).check(), kPermits),
            "violated:too_many_holders");
}

TEST(Permits, AReleaseNeedsAGrant) {
  EXPECT_EQ(said(semaphore().acquire(1, 0, 10).release(2, 20, 30).check(), kPermits), "violated:release_without_grant");
  auto twice = semaphore();
  twice.acquire(1, 0, 10).acquire(1, 20, 30).release(1, 40, 50).release(1, 60, 70);
  EXPECT_EQ(said(twice.check(), kPermits), "holds");
  EXPECT_EQ(said(twice.release(1, 80, 90).check(), kPermits), "violated:release_without_grant");
}

TEST(Permits, NotHeldToAHolderIsViolated) {
  EXPECT_EQ(said(semaphore().acquire(1, 0, 10).not_held(1, Op::release, 20, 30).check(), kPermits),
            "violated:lost_lock");
  EXPECT_EQ(said(semaphore().acquire(1, 0, 10).not_held(1, Op::renew, 20, 30).check(), kPermits), "violated:lost_lock");
  EXPECT_EQ(said(semaphore().acquire(1, 0, 10).not_held(2, Op::release, 20, 30).check(), kPermits), "holds");
}

TEST(Permits, LeaveEndsTheHold) {
  auto story = read_write();
  EXPECT_EQ(said(story.acquire(1, 0, 10).leave(1, 20).acquire(2, 15, 30).check(), kPermits), "holds");
}

TEST(Permits, RefusalWithRoomIsViolated) {
  EXPECT_EQ(said(semaphore().acquire(1, 0, 10).refused(2, 20, 30).check(), kPermits), "violated:refused_with_room");
  EXPECT_EQ(said(semaphore().acquire(1, 0, 10).acquire(2, 0, 10).refused(3, 20, 30).check(), kPermits), "holds");
}

TEST(Permits, ForgottenHoldsAreUndecided) {
  auto story = semaphore();
  story.acquire(1, 0, 10).uncertain(1, Op::release, 20, 25);
  std::int64_t now = 30;
  for (std::size_t i = 0; i < PermitLedger::kMostRemembered + 2; ++i, now += 4) {
    story.acquire(2, now, now + 1).release(2, now + 2, now + 3);
  }
  EXPECT_EQ(said(story.check(), kPermits), "holds");
  EXPECT_EQ(said(story.release(1, now, now + 1).check(), kPermits), "undecided");
}

TEST(Permits, ModelNeedsTheNumberOfPermits) {
  for (const char* model :
       {"semaphore", "semaphore:", "semaphore:0", "semaphore:two", "semaphore:2x", "read_write:2"}) {
    EXPECT_THROW(HistoryBuilder::foreign(model).acquire(1, 0, 10).check(), BadInput) << model;
  }
}

}  // namespace
}  // namespace holdfast
