// loss_unnoticed: a holder that ran beyond its lease beside another, with a lock that can report a loss and did not in
// time.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kUnnoticed = "violated:loss_unnoticed";
const char* const kOverran = "violated:overrun";

// Client 1 has a lease of 1 s; client 2 is granted the key at 1.2 s, and client 1 is notified at `told`.
HistoryBuilder told_at(std::int64_t told, bool tells = true) {
  auto story = HistoryBuilder::run(1000).header([=](HistoryHeader& header) { header.tells_loss = tells; });
  story.measured().acquire(1, 0, 10).acquire(2, 1190, 1200).leave(1, told, Reason::not_held);
  return story.release(2, 3000, 3010);
}

std::string judged(const HistoryBuilder& story) {
  return said(story.check(), kBelief);
}

TEST(LossUnnoticed, RunningHolderNotifiedLate) {
  const auto v = told_at(1700).check();
  EXPECT_EQ(said(v, kBelief), kUnnoticed);
  const std::string& text = v.find(kBelief)->witnesses.at(0).text;
  EXPECT_TRUE(text.ends_with(
      " The program of client 1 was running, and its lock can report a loss to its holder, but it acted as holder "
      "until 1.700 s, 500 ms after its lease had expired and another client had been granted \"k0\"."))
      << text;
}

TEST(LossUnnoticed, FaultThatLetItRunDoesNotExcuse) {
  EXPECT_EQ(judged(told_at(1700).fault("partition", "partition", {1}, 100, 3000)), kUnnoticed);
  EXPECT_EQ(judged(told_at(1700).fault("pause", "", {1}, 200, 600).stopping()), kUnnoticed) << "it ran again by then";
}

TEST(LossUnnoticed, NeedsALockWithLossNotices) {
  EXPECT_EQ(judged(told_at(1700, false)), kOverran);
}

TEST(LossUnnoticed, PromptNoticeIsAnOverrun) {
  EXPECT_EQ(judged(told_at(1250)), kOverran);
  EXPECT_EQ(judged(told_at(1100)), "holds");
}

TEST(LossUnnoticed, HolderThatDidNotRunIsExcused) {
  EXPECT_EQ(judged(told_at(1700).fault("pause", "", {1}, 1100, 1650).stopping()), kOverran);
  EXPECT_EQ(judged(told_at(1700).stall({1}, 1210, 1690, 450)), kOverran);
  EXPECT_EQ(judged(told_at(1700).stall({1}, 1210, 1690, 390)), kUnnoticed) << "110 ms are left";
  const auto nobody_measured = [](HistoryHeader& header) { header.stall_bound_ns = 0; };
  EXPECT_EQ(judged(told_at(1700).fault("partition", "partition", {1}, 100, 3000).header(nobody_measured)), kOverran);
}

TEST(LossUnnoticed, AWrongClockMayHaveMisledIt) {
  EXPECT_EQ(judged(told_at(1700).fault("client_skew", "client_skew", {1}, 100, 3000)), kOverran);
  EXPECT_EQ(judged(told_at(1700).fault("client_skew", "client_skew", {2}, 100, 3000)), kUnnoticed) << "another's";
}

TEST(LossUnnoticed, PromisedNoticeTimeIsAllowed) {
  const auto within = [](std::int64_t ms) {
    return judged(told_at(1700).header([=](HistoryHeader& header) { header.loss_notice_ns = ms * 1'000'000; }));
  };
  EXPECT_EQ(within(600), kOverran);
  EXPECT_EQ(within(400), kUnnoticed);
}

TEST(LossUnnoticed, HolderInACallIsExcused) {
  EXPECT_EQ(judged(told_at(1700).write(1, 1220, 1690)), kOverran);
  EXPECT_EQ(judged(told_at(1700).write(1, 1400, 1410)), kUnnoticed) << "it had been told nothing by then";
}

TEST(LossUnnoticed, CountsFromTheFirstOtherGrant) {
  auto story = HistoryBuilder::run(1000).header([](HistoryHeader& header) { header.tells_loss = true; });
  story.measured().acquire(1, 0, 10).leave(1, 1700, Reason::not_held);
  for (std::int64_t t = 1190; t < 1600; t += 100) story.acquire(2, t, t + 10).release(2, t + 60, t + 70);
  const auto v = story.check();
  EXPECT_EQ(said(v, kBelief), kUnnoticed);
  EXPECT_EQ(v.find(kBelief)->kinds, (std::map<std::string, std::int64_t>{{"loss_unnoticed", 4}, {"overrun", 1}}))
      << "at 50, 150, 250, 350 and 450 ms after the first";
}

TEST(LossUnnoticed, CountsOnlyAfterTheEndOfTheLease) {
  auto story = HistoryBuilder::run(1000).header([](HistoryHeader& header) { header.tells_loss = true; });
  story.measured().acquire(1, 0, 10).acquire(2, 890, 900).release(2, 950, 960).acquire(3, 1010, 1020);
  const auto v = story.leave(1, 1080, Reason::not_held).release(3, 2000, 2010).stall({1}, 0, 10, 1).check();
  EXPECT_EQ(v.find(kBelief)->kinds.count("loss_unnoticed"), 0U);
}

TEST(LossUnnoticed, DamageByItsWritesHasTheSameKind) {
  auto story = HistoryBuilder::run(1000).header([](HistoryHeader& header) { header.tells_loss = true; });
  story.measured().acquire(1, 0, 10).acquire(2, 1190, 1200).write(2, 1210, 1220).write(1, 1600, 1610);
  story.leave(1, 1700, Reason::not_held).release(2, 3000, 3010).accepted(2, 1, 0, 2).accepted(1, 1, 0, 1);
  EXPECT_EQ(said(story.check(), "resource"), kUnnoticed);
}

}  // namespace
}  // namespace holdfast
