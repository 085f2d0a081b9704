// resource: damage in the log of accepted writes, and what it is called.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kResource = "resource";

HistoryBuilder in_turn() {
  return HistoryBuilder::run(1000).acquire(1, 0, 10).release(1, 20, 30).acquire(2, 40, 50).release(2, 60, 70);
}
// Client 1 holds from 0.01 s, its lease ends at 1 s, client 2 holds from 1.11 s, client 1 stops at 1.5 s.
HistoryBuilder lapsed() {
  return HistoryBuilder::run(1000)
      .acquire(1, 0, 10)
      .acquire(2, 1100, 1110)
      .release(2, 1300, 1310)
      .release(1, 1500, 1510);
}

TEST(Resource, WritesThatFollowEachOtherDoNoDamage) {
  EXPECT_EQ(said(in_turn().accepted(1, 1, 0, 11).accepted(2, 1, 11, 22).check(), kResource), "holds");
}

TEST(Resource, ALostUpdateIsDamage) {
  const auto v = in_turn().accepted(1, 1, 0, 11).accepted(2, 1, 0, 22).check();
  EXPECT_EQ(said(v, kResource), "violated:algorithm");
  EXPECT_EQ(v.find(kResource)->witnesses.at(0).clients, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_NE(v.find(kResource)->witnesses.at(0).text.find("wrote from an older value, so the write before it was lost"),
            std::string::npos);
}

TEST(Resource, AWriteOfAnEarlierGrantIsDamageEvenFromTheNewestValue) {
  EXPECT_EQ(said(in_turn().accepted(2, 1, 0, 22).accepted(1, 1, 22, 11).check(), kResource), "violated:algorithm");
}

// Client 1 holds from 10 to 20 and writes in between, client 2 from 50 to 60; both are its operation 2 under grant 1.
// `sent` and `heard`: times of client 1's write, which has an answer only if `answered`.
HistoryBuilder slow_write(std::int64_t sent, std::int64_t heard, bool answered = false) {
  auto story = HistoryBuilder::run(1000).under(1).acquire(1, 0, 10);
  if (sent >= 20) story.release(1, 20, 22);
  story.op(1, Op::write, sent, heard, answered ? EventType::ok : EventType::info);
  if (sent < 20) story.release(1, 20, 30);
  return story.acquire(2, 40, 50).write(2, 52, 55).release(2, 60, 70);
}

TEST(Resource, AWriteThatTookEffectAfterItsHoldWasLate) {
  const auto after = slow_write(12, 18).accepted(2, 1, 0, 22, 2).accepted(1, 1, 0, 11, 2).check();
  EXPECT_EQ(said(after, kResource), "violated:late_write") << "accepted after the later holder's write";
  const auto& witness = after.find(kResource)->witnesses.at(0);
  EXPECT_NE(witness.text.find("sent its write at 0.012 s"), std::string::npos) << witness.text;
  const auto between = slow_write(12, 18).accepted(1, 1, 0, 11, 2).accepted(2, 1, 0, 22, 2).check();
  EXPECT_EQ(said(between, kResource), "violated:late_write")
      << "accepted between the later holder's look and its write";
}

TEST(Resource, AWriteIsLateOnlyWhereItWasSentByTheHolderAndNotAnsweredInTime) {
  const auto damage = [](HistoryBuilder story, std::uint64_t number = 2) {
    return said(story.accepted(2, 1, 0, 22, 2).accepted(1, 1, 0, 11, number).check(), kResource);
  };
  EXPECT_EQ(damage(slow_write(12, 18, true)), "violated:algorithm") << "answered inside the hold";
  EXPECT_EQ(damage(slow_write(12, 18), 0), "violated:algorithm") << "nobody knows which write it was";
  EXPECT_EQ(damage(slow_write(30, 35)), "violated:algorithm") << "sent when it held nothing";
  EXPECT_EQ(damage(lapsed()), "undecided") << "the two overlapped";
}

// Client 1 is answered after its lease, while client 2 holds inside its own: answered last, it was served first.
TEST(Resource, LapsedHolderWritesAfterTheRightfulOne) {
  const auto damage = [](std::int64_t until) {
    auto story = HistoryBuilder::run(1000).fault("pause", "", {1}, 50, 1500);
    story.acquire(1, 0, 1510).acquire(2, 1100, 1110).release(2, until, until + 10).release(1, 1800, 1810);
    return said(story.accepted(2, 1, 0, 22).accepted(1, 1, 22, 11).check(), kResource);
  };
  EXPECT_EQ(damage(1700), "violated:late_grant");
  EXPECT_EQ(damage(1500), "holds") << "the lock may have been free when client 1 was served";
}

TEST(Resource, AConcurrentGrantIsNotEarlier) {
  auto story = HistoryBuilder::run(1000).acquire(1, 0, 20).release(1, 30, 40).acquire(2, 10, 50);
  EXPECT_EQ(said(story.accepted(2, 1, 0, 22).accepted(1, 1, 22, 11).check(), kResource), "holds");
}

TEST(Resource, DamageHasTheOverlapsKind) {
  auto story = lapsed().accepted(2, 1, 0, 22).accepted(1, 1, 0, 11);
  EXPECT_EQ(said(story.check(), kResource), "undecided") << "so is the overlap";
  story.fault("pause", "", {1}, 50, 1400);
  EXPECT_EQ(said(story.check(), kResource), "violated:overrun");
}

TEST(Resource, LapsedLeaseWithoutAnotherWriterHolds) {
  EXPECT_EQ(said(lapsed().accepted(1, 1, 0, 11).accepted(2, 1, 11, 22).check(), kResource), "holds");
}

TEST(Resource, SingleWriterIsNotExercised) {
  EXPECT_EQ(said(in_turn().accepted(1, 1, 0, 11).check(), kResource), "not_exercised");
}

TEST(Resource, KeysAreIndependent) {
  EXPECT_EQ(said(in_turn().accepted(1, 1, 0, 11).on(1).accepted(2, 1, 0, 22).check(), kResource), "holds");
}

TEST(Resource, NotApplicableToForeignHistories) {
  EXPECT_EQ(said(HistoryBuilder::foreign("owner").acquire(1, 0, 10).accepted(1, 1, 5, 6).check(), kResource),
            "not_applicable");
}

}  // namespace
}  // namespace holdfast
