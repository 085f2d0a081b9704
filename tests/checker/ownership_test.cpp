// ownership: foreign releases and renewals, lost locks, and whom they are blamed on.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kOwnership = "ownership";

// Client 1's lease of 1 s lapses; client 2 takes over at 1.11 s; client 1 then sends `op`.
HistoryBuilder taken_over() {
  return HistoryBuilder::run(1000).acquire(1, 0, 10).acquire(2, 1100, 1110);
}

TEST(Ownership, ReleaseOfAnothersLockIsForeign) {
  const auto v = taken_over().release(1, 1200, 1210).release(2, 1300, 1310).check();
  EXPECT_EQ(said(v, kOwnership), "violated:foreign_release");
  const Witness& w = v.find(kOwnership)->witnesses.at(0);
  EXPECT_EQ(w.clients, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_NE(w.text.find("Client 1 sent a release at 1.200 s, which was answered ok at 1.210 s (#5): client 1 released "
                        "client 2's lock."),
            std::string::npos)
      << w.text;
}

TEST(Ownership, RefusedOrEffectlessReleaseIsFine) {
  EXPECT_EQ(said(taken_over().not_held(1, Op::release, 1200, 1210).check(), kOwnership), "holds");
  EXPECT_EQ(said(taken_over().rows(0).release(1, 1200, 1210).check(), kOwnership), "holds");
  EXPECT_EQ(said(taken_over().rows(1).release(1, 1200, 1210).check(), kOwnership), "violated:foreign_release");
}

TEST(Ownership, ReleaseAcrossTheTakeoverMayPrecedeIt) {
  const auto v = HistoryBuilder::run(1000).acquire(1, 0, 10).release(1, 1050, 1210).acquire(2, 1100, 1110).check();
  EXPECT_EQ(said(v, kOwnership), "holds");
}

TEST(Ownership, ReleaseAfterTheOthersLeaseHolds) {
  EXPECT_EQ(said(taken_over().release(1, 2050, 2150).check(), kOwnership), "holds");
}

TEST(Ownership, ALaterHoldersReleaseIsItsOwn) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).acquire(2, 100, 110).release(2, 200, 210);
  story.not_held(1, Op::release, 1200, 1210);
  EXPECT_EQ(said(story.check(), kOwnership), "holds") << "the younger claim; exclusion has its own property";
}

TEST(Ownership, ARenewalOfAnothersLockIsForeign) {
  EXPECT_EQ(said(taken_over().renew(1, 1200, 1210).check(), kOwnership), "violated:foreign_renew");
}

// Called by client 1 while it held; client 2 holds from 1.11 s to 2.1 s.
HistoryBuilder stopped_inside() {
  return HistoryBuilder::run(1000).acquire(1, 0, 10).acquire(2, 1100, 1110);
}

TEST(Ownership, AnOperationActsWhenItsStatementsDo) {
  const auto v = stopped_inside().statement(1300, 1310, 1).renew(1, 900, 1320).check();
  EXPECT_EQ(said(v, kOwnership), "violated:foreign_renew") << "stopped before the statement";
  EXPECT_NE(v.find(kOwnership)->witnesses.at(0).text.find("sent and answered from 1.300 s to 1.310 s"),
            std::string::npos);
  EXPECT_EQ(said(stopped_inside().statement(1300, 1310, 1).release(1, 900, 1320).check(), kOwnership),
            "violated:foreign_release");
  EXPECT_EQ(said(stopped_inside().statement(1300, 1310, 1).renew(1, 1290, 2200).check(), kOwnership),
            "violated:foreign_renew")
      << "stopped after the statement";
  EXPECT_EQ(said(stopped_inside().renew(1, 900, 1320).check(), kOwnership), "not_exercised") << "no statements told";
}

TEST(Ownership, AStatementThatActedBeforeTheOtherHeldIsItsOwn) {
  for (const std::int64_t sent : {910, 1105}) {
    EXPECT_EQ(said(stopped_inside().statement(sent, 1200, 1).renew(1, 900, 1320).check(), kOwnership), "not_exercised");
  }
  EXPECT_EQ(said(stopped_inside().statement(1300, 2150, 1).renew(1, 900, 2160).check(), kOwnership), "not_exercised")
      << "the other's lease was over";
}

TEST(Ownership, AnyOfSeveralStatementsMayBeALook) {
  const auto two = [](std::int64_t sent, std::int64_t rows, std::int64_t rows_after) {
    return said(
        stopped_inside().statement(sent, sent + 5, rows).statement(1320, 1325, rows_after).renew(1, 900, 1330).check(),
        kOwnership);
  };
  EXPECT_EQ(two(910, 1, 1), "not_exercised") << "a look at the token after the renewal";
  EXPECT_EQ(two(910, 0, 1), "not_exercised") << "the renewal left the row as it was";
  EXPECT_EQ(two(1300, 1, 0), "not_exercised") << "only the look found a row";
  EXPECT_EQ(two(1300, -1, 1), "not_exercised") << "without an answer";
  EXPECT_EQ(two(1300, 1, 1), "violated:foreign_renew");
}

TEST(Ownership, ALockLostInsideItsLease) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).not_held(1, Op::renew, 500, 510);
  EXPECT_EQ(said(story.check(), kOwnership), "violated:lost_lock");
  story.fault("kill_server", "server_lost_state", {}, 200, 300);
  EXPECT_EQ(said(story.check(), kOwnership), "violated:server_lost_state");
  auto after = HistoryBuilder::run(1000).acquire(1, 0, 10).not_held(1, Op::release, 900, 1000);
  EXPECT_EQ(said(after.check(), kOwnership), "not_exercised") << "answered after the lease";
}

// The renewal may have changed what the holder is known by; that another was let in, exclusion says.
TEST(Ownership, RefusalAfterAnUnansweredRenewalIsNoLoss) {
  const auto told = [](std::int64_t renewal) {
    auto story = HistoryBuilder::run(1500);
    if (renewal < 200) story.uncertain(1, Op::renew, renewal, renewal + 10);
    story.acquire(1, 200, 210);
    if (renewal > 200) story.uncertain(1, Op::renew, renewal, renewal + 100);
    return story.not_held(1, Op::renew, 600, 610).acquire(2, 2000, 2010).release(2, 4000, 4010).check();
  };
  EXPECT_EQ(said(told(300), kOwnership), "holds");
  EXPECT_EQ(said(told(100), kOwnership), "violated:lost_lock") << "it was of the grant before";
}

TEST(Ownership, ALostLockIsBlamedOnTheForeignRelease) {
  auto story = taken_over().rows(1).op(1, Op::release, 1105, 1150, EventType::info, Reason::timeout);
  story.not_held(2, Op::release, 1300, 1310);
  const auto v = story.check();
  EXPECT_EQ(said(v, kOwnership), "violated:foreign_release");
  EXPECT_EQ(v.find(kOwnership)->witnesses.at(0).clients, (std::vector<std::uint32_t>{1, 2}))
      << "the client that acted comes first";
}

TEST(Ownership, SecondHoldersReleaseIsNotBlamedIfAFaultLostTheLock) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).acquire(2, 400, 410).release(2, 500, 510);
  story.not_held(1, Op::release, 600, 610);
  EXPECT_EQ(said(story.check(), kOwnership), "violated:foreign_release") << "no fault";
  story.fault("kill_server", "server_lost_state", {}, 200, 300);
  EXPECT_EQ(said(story.check(), kOwnership), "violated:server_lost_state");
  auto struck = HistoryBuilder::run(1000).acquire(1, 0, 10).acquire(2, 400, 410).release(2, 500, 510);
  struck.not_held(1, Op::release, 600, 610).fault("partition", "partition", {2}, 200, 300);
  EXPECT_EQ(said(struck.check(), kOwnership), "violated:foreign_release") << "the server had not lost it";
  // Client 2's own lease is over when it frees what client 1 holds: that took the lock, fault or no fault.
  auto late = HistoryBuilder::run(1000).acquire(2, 0, 10).acquire(1, 1100, 1110).rows(1).release(2, 1250, 1260);
  late.not_held(1, Op::release, 1300, 1310).fault("kill_server", "server_lost_state", {}, 1150, 1200);
  EXPECT_EQ(said(late.check(), kOwnership), "violated:foreign_release");
}

TEST(Ownership, RightfulReleaseIsNotBlamed) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 10).rows(1).release(1, 100, 130).acquire(2, 90, 120);
  EXPECT_EQ(said(story.not_held(2, Op::release, 300, 310).check(), kOwnership), "violated:lost_lock");
}

TEST(Ownership, OperationsAfterALapseExerciseIt) {
  EXPECT_EQ(said(HistoryBuilder::run(1000).acquire(1, 0, 10).release(1, 100, 110).check(), kOwnership),
            "not_exercised");
  EXPECT_EQ(said(HistoryBuilder::run(1000).acquire(1, 0, 10).release(1, 1100, 1110).check(), kOwnership), "holds");
  EXPECT_EQ(said(HistoryBuilder::run(0).acquire(1, 0, 10).check(), kOwnership), "not_exercised");
  EXPECT_EQ(said(HistoryBuilder::run(0).acquire(1, 0, 10).release(1, 100, 110).check(), kOwnership), "holds");
}

TEST(Ownership, ForeignHistoriesAreJudgedByEveryAnswer) {
  auto twice = HistoryBuilder::foreign("owner").acquire(1, 0, 10).acquire(1, 20, 30);
  EXPECT_EQ(said(twice.check(), kOwnership), "violated:granted_twice");
  EXPECT_EQ(said(HistoryBuilder::foreign("reentrant").acquire(1, 0, 10).acquire(1, 20, 30).check(), kOwnership),
            "holds");
  auto never = HistoryBuilder::foreign("owner").acquire(1, 0, 10).release(1, 20, 30).release(2, 40, 50);
  EXPECT_EQ(said(never.check(), kOwnership), "violated:release_without_grant");
  auto again =
      HistoryBuilder::foreign("owner").acquire(1, 0, 10).op(1, Op::release, 20, 30, EventType::fail, Reason::conflict);
  EXPECT_EQ(said(again.release(1, 40, 50).check(), kOwnership), "holds") << "a release that failed is sent again";
  auto clean_up = HistoryBuilder::foreign("owner").acquire(2, 0, 5).release(2, 6, 7).uncertain(1, Op::acquire, 0, 10);
  EXPECT_EQ(said(clean_up.release(1, 20, 30).check(), kOwnership), "holds");
  EXPECT_EQ(said(HistoryBuilder::run(0).acquire(1, 0, 10).release(1, 20, 30).release(2, 40, 50).check(), kOwnership),
            "holds")
      << "in our own runs that is the lock's affair";
}

}  // namespace
}  // namespace holdfast
