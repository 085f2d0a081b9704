// loss_notice: how long a former holder did not know; measured always, judged where it is promised.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kNotice = "loss_notice";

HistoryBuilder promised(std::int64_t within_ms) {
  return HistoryBuilder::run(2000).header([=](HistoryHeader& header) {
    header.promises.push_back(kNotice);
    header.loss_notice_ns = within_ms * 1'000'000;
  });
}

// Client 1 holds from 10 ms; client 2 is granted its key at 2100 ms.
HistoryBuilder& lost(HistoryBuilder& story) {
  return story.acquire(1, 0, 10).acquire(2, 2050, 2100);
}

HistoryBuilder told_at(std::int64_t told, HistoryBuilder story) {
  return lost(story).not_held(1, Op::renew, told - 10, told).release(2, 6000, 6010);
}

HistoryBuilder released_at(std::int64_t time, HistoryBuilder story) {
  return lost(story).not_held(1, Op::release, time, time + 10).release(2, 6000, 6010);
}

TEST(LossNotice, NoticeInTimeHolds) {
  const auto v = told_at(2600, promised(500)).check();
  EXPECT_EQ(said(v, kNotice), "holds");
  EXPECT_EQ(v.find(kNotice)->coverage.at("former_holders"), 1);
  EXPECT_EQ(v.find(kNotice)->coverage.at("told"), 1);
}

TEST(LossNotice, LateNoticeIsViolated) {
  const auto v = told_at(2601, promised(500)).check();
  EXPECT_EQ(said(v, kNotice), "violated:late_notice");
  const Witness& witness = v.find(kNotice)->witnesses.at(0);
  EXPECT_EQ(witness.from_ns, 2'100'000'000);
  EXPECT_EQ(witness.to_ns, 2'601'000'000);
  EXPECT_EQ(witness.clients, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_NE(witness.text.find(
                "client 2 was granted the lock at 2.100 s (#3), and client 1 learned of its loss at 2.601 s (#5): "
                "after 501 ms, where the lock promises to report a loss within 500 ms."),
            std::string::npos)
      << witness.text;
}

TEST(LossNotice, ReleaseWithoutNoticeIsViolated) {
  EXPECT_EQ(said(released_at(2600, promised(500)).check(), kNotice), "holds") << "there was no need to be told yet";
  EXPECT_EQ(said(released_at(2700, promised(500)).check(), kNotice), "violated:no_notice");
  auto story = promised(500);
  EXPECT_EQ(said(lost(story).release(2, 6000, 6010).check(), kNotice), "violated:no_notice") << "nor until the end";
}

TEST(LossNotice, LeaveAfterNotHeldCountsAsNotice) {
  auto story = promised(500);
  lost(story).leave(1, 2500, Reason::not_held);
  EXPECT_EQ(said(story.check(), kNotice), "holds");
  EXPECT_EQ(story.check().measures.never_told, 0);
  auto unknowing = promised(100);
  EXPECT_EQ(said(lost(unknowing).leave(1, 2500).check(), kNotice), "violated:no_notice") << "its job was done";
}

TEST(LossNotice, StoppedTimeDoesNotCount) {
  const auto paused = [](bool stops) {
    auto story = told_at(5000, promised(500));
    story.fault("pause", "", {1}, 1000, 4800);
    return stops ? story.stopping() : story;
  };
  EXPECT_EQ(said(paused(true).check(), kNotice), "holds") << "200 ms after it went on";
  EXPECT_EQ(said(paused(false).check(), kNotice), "violated:late_notice");
  EXPECT_EQ(paused(true).check().measures.loss_notice_max_ns, 2'900'000'000) << "what is measured is all of it";
}

TEST(LossNotice, AFaultThatStruckTheFormerHolderIsSuspected) {
  EXPECT_EQ(said(told_at(4000, promised(500)).fault("partition", "partition", {1}, 1000, 3900).check(), kNotice),
            "violated:partition");
  EXPECT_EQ(said(told_at(4000, promised(500)).fault("partition", "partition", {3}, 1000, 1500).check(), kNotice),
            "violated:late_notice")
      << "it struck somebody who had no part in it";
}

TEST(LossNotice, DelayByAProcessorWaitIsUndecided) {
  EXPECT_EQ(said(told_at(2700, promised(500)).stall({1}, 2200, 2650, 450).check(), kNotice), "undecided");
  EXPECT_EQ(said(told_at(2700, promised(500)).stall({1}, 2200, 2250, 50).check(), kNotice), "violated:late_notice");
}

TEST(LossNotice, KilledHolderDoesNotCount) {
  auto story = promised(500);
  const auto v = lost(story).nemesis(FaultStep::kill, 4000, "kill", "", {1}).check();
  EXPECT_EQ(said(v, kNotice), "not_exercised");
  EXPECT_EQ(v.measures.former_holders, 0);
}

TEST(LossNotice, NoticeBeforeTheNextGrantIsInTime) {
  const auto v = promised(1).acquire(1, 0, 10).not_held(1, Op::renew, 900, 910).acquire(2, 950, 960).check();
  EXPECT_EQ(said(v, kNotice), "holds");
  EXPECT_EQ(v.find(kNotice)->coverage.at("told_before_another"), 1);
  EXPECT_EQ(v.measures.former_holders, 0);
}

TEST(LossNotice, WithoutALossItIsNotExercised) {
  EXPECT_EQ(said(promised(500).acquire(1, 0, 10).release(1, 20, 30).acquire(2, 40, 50).check(), kNotice),
            "not_exercised");
}

TEST(LossNotice, UnpromisedNoticeIsMeasuredOnly) {
  const auto v = told_at(2600, HistoryBuilder::run(2000)).check();
  EXPECT_EQ(said(v, kNotice), "not_applicable");
  EXPECT_EQ(v.measures.former_holders, 1);
  EXPECT_EQ(v.measures.never_told, 0);
  EXPECT_EQ(v.measures.loss_notice_max_ns, 500'000'000);
  EXPECT_NEAR(static_cast<double>(v.measures.loss_notice_p50_ns), 500e6, 10e6);
  EXPECT_EQ(released_at(2600, HistoryBuilder::run(2000)).check().measures.never_told, 1);
}

TEST(LossNotice, EachFormerHolderCountsOnce) {
  auto story = promised(100);
  story.acquire(1, 0, 10).acquire(2, 2050, 2100).acquire(3, 4100, 4200);
  story.not_held(1, Op::renew, 5000, 5010).not_held(2, Op::renew, 5000, 5010);
  const auto v = story.check();
  EXPECT_EQ(v.find(kNotice)->count, 2);
  EXPECT_EQ(v.measures.former_holders, 2);
  EXPECT_EQ(v.measures.loss_notice_max_ns, 2'910'000'000);
}

}  // namespace
}  // namespace holdfast
