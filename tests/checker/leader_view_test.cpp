// Leaders as observers see them: late is legal, backwards is not; and the jobs of a scheduler, which no client asked
// for.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

constexpr const char* kView = "leader_view";

HistoryBuilder election() {
  return HistoryBuilder::run(2000).header([](HistoryHeader& header) { header.promises = {kView}; });
}

// Client 1 leads from 100 to 1000, client 2 from 1100 to 2000.
HistoryBuilder two_terms() {
  return election().acquire(1, 100, 110).release(1, 990, 1000).acquire(2, 1100, 1110).release(2, 1990, 2000);
}

TEST(LeaderView, LateViewsInOrderHold) {
  EXPECT_EQ(said(two_terms().observed(3, 120, 1).observed(3, 1005, -1).observed(3, 1120, 2).check(), kView), "holds");
  EXPECT_EQ(said(two_terms().observed(3, 5000, 1).observed(3, 5001, 2).check(), kView), "holds");
  EXPECT_EQ(said(two_terms().observed(3, 1105, 1).observed(3, 1106, 2).check(), kView), "holds");
}

TEST(LeaderView, ObserversAreJudgedSeparately) {
  EXPECT_EQ(said(two_terms().observed(3, 1120, 1).observed(3, 1130, 2).observed(4, 1140, 1).check(), kView), "holds");
}

TEST(LeaderView, GoingBackIsAViolation) {
  const auto verdict = two_terms().observed(3, 120, 1).observed(3, 1120, 2).observed(3, 1130, 1).check();
  EXPECT_EQ(said(verdict, kView), "violated:went_back");
  const auto& witness = verdict.find(kView)->witnesses.at(0);
  EXPECT_EQ(witness.text,
            "Client 3 saw at 1.120 s that client 2 led \"k0\" (#7), and then at 1.130 s that client 1 led (#8). The "
            "second one had stopped leading at 1.000 s (#4), and the first one had not campaigned before 1.100 s.");
}

// It may have been elected as soon as it had asked, and resign as late as its answer: these touch, and are no order.
TEST(LeaderView, EqualTimesAreConcurrent) {
  const auto touching = [](std::int64_t asked) {
    return election()
        .acquire(1, 100, 110)
        .release(1, 990, 1000)
        .acquire(2, asked, 1500)
        .observed(3, 1600, 2)
        .observed(3, 1700, 1)
        .check();
  };
  EXPECT_EQ(said(touching(1000), kView), "holds");
  EXPECT_EQ(said(touching(1001), kView), "violated:went_back");
}

TEST(LeaderView, SecondCampaignMayLead) {
  EXPECT_EQ(said(two_terms().acquire(1, 2100, 2110).observed(3, 1120, 2).observed(3, 2105, 1).check(), kView), "holds");
  EXPECT_EQ(said(two_terms().acquire(1, 2100, 2110).observed(3, 1120, 2).observed(3, 2095, 1).check(), kView),
            "violated:went_back");
  EXPECT_EQ(said(two_terms().refused(1, 2100, 2200).observed(3, 1120, 2).observed(3, 2150, 1).check(), kView), "holds");
}

// The end of its leading is unknown.
TEST(LeaderView, UnansweredCampaignMayLead) {
  const auto open = election().uncertain(1, Op::acquire, 100, 900).acquire(2, 1100, 1110);
  EXPECT_EQ(said(HistoryBuilder(open).observed(3, 1120, 2).observed(3, 1200, 1).check(), kView), "holds");
  const auto resigning = election().acquire(1, 100, 110).uncertain(1, Op::release, 500, 900).acquire(2, 1000, 1110);
  EXPECT_EQ(said(HistoryBuilder(resigning).observed(3, 1050, 2).observed(3, 1060, 1).check(), kView), "holds");
}

// A leader that lapsed resigns nothing; but it has been superseded once another is elected that asked after it had
// been.
TEST(LeaderView, NextElectionEndsTheTerm) {
  const auto lapsed = election().acquire(1, 100, 110).acquire(2, 2500, 2510);
  EXPECT_EQ(said(HistoryBuilder(lapsed).observed(3, 2505, 2).observed(3, 2508, 1).check(), kView), "holds");
  EXPECT_EQ(
      said(HistoryBuilder(lapsed).acquire(4, 2600, 2610).observed(3, 2700, 4).observed(3, 2800, 1).check(), kView),
      "violated:went_back");
  // Its term ends with the answer of its successor: not a moment too early, and at times too late.
  const auto at_once = election().acquire(1, 100, 120).acquire(2, 110, 2510);
  EXPECT_EQ(
      said(HistoryBuilder(at_once).acquire(4, 2400, 2610).observed(3, 2700, 4).observed(3, 2800, 1).check(), kView),
      "holds");
}

// While its campaign had no answer it might have been elected; refused it was not.
TEST(LeaderView, RefusedCandidateNeverLed) {
  const auto refused =
      election().acquire(1, 100, 110).refused(2, 120, 200).release(1, 990, 1000).acquire(2, 1100, 1110);
  const auto told = HistoryBuilder(refused).observed(3, 125, 1).observed(3, 1120, 2).observed(3, 1130, 1);
  EXPECT_EQ(said(told.check(), kView), "violated:went_back");
  EXPECT_EQ(said(HistoryBuilder(refused).observed(3, 150, 2).observed(3, 1120, 1).check(), kView), "holds");
  EXPECT_EQ(said(HistoryBuilder(refused).observed(3, 210, 2).check(), kView), "violated:never_led");
}

// A candidate that waited may have been first for a moment, before it gave up or was withdrawn.
TEST(LeaderView, CandidateThatGaveUpMayHaveLed) {
  const auto given_up = [](Reason why) {
    auto story = election().acquire(1, 100, 110).release(1, 990, 1000).refused(2, 120, 1020, why);
    return story.header([](HistoryHeader& header) { header.waits = true; }).acquire(3, 1100, 1110);
  };
  EXPECT_EQ(said(given_up(Reason::cancelled).observed(4, 1030, 2).observed(4, 1120, 3).check(), kView), "holds");
  EXPECT_EQ(said(given_up(Reason::cancelled).observed(4, 1120, 3).observed(4, 1130, 2).check(), kView),
            "violated:went_back")
      << "it was withdrawn before the other campaigned";
  EXPECT_EQ(said(given_up(Reason::busy).observed(4, 1120, 3).observed(4, 1130, 2).check(), kView), "holds")
      << "it may stand on";
}

TEST(LeaderView, ClientWithoutCampaignNeverLed) {
  EXPECT_EQ(said(two_terms().observed(3, 120, 5).check(), kView), "violated:never_led");
  EXPECT_EQ(said(two_terms().observed(3, 1050, 2).check(), kView), "violated:never_led");
}

TEST(LeaderView, SingleLeaderIsNotExercised) {
  EXPECT_EQ(said(two_terms().observed(3, 120, 1).observed(3, 130, 1).check(), kView), "not_exercised");
  EXPECT_EQ(said(two_terms().check(), kView), "not_exercised");
}

HistoryBuilder jobs() {
  return HistoryBuilder::run(2000).header([](HistoryHeader& header) { header.scheduled = header.waits = true; });
}

// Its client had waited for longer than a lease: that does not make the grant late, nor the holder outlive its lease.
TEST(ScheduledJobs, OverlapIsTheLocksFault) {
  const auto verdict = jobs().measured().acquire(1, 0, 5000).release(1, 6000, 6010).acquire(2, 0, 5500).check();
  EXPECT_EQ(said(verdict, kBelief), "violated:algorithm");
}

TEST(ScheduledJobs, AHolderThatOutlivesItsLeaseOverruns) {
  const auto paused = jobs()
                          .measured()
                          .acquire(1, 0, 5000)
                          .fault("pause", "", {1}, 5100, 9900)
                          .release(1, 9950, 9960)
                          .acquire(2, 0, 7500);
  EXPECT_EQ(said(paused.check(), kBelief), "violated:overrun");
}

// It had begun before its client took it, so that its lease was over before one that counts from then.
TEST(ScheduledJobs, LeaseOfAStoppedJobBeganEarlier) {
  const auto taken_late =
      jobs().measured().acquire(1, 30, 31).fault("pause", "", {1}, 40, 4800).release(1, 4900, 4910).acquire(2, 0, 1980);
  EXPECT_EQ(said(taken_late.check(), kBelief), "violated:overrun");
}

TEST(ScheduledJobs, LateStartNoticeIsALateGrant) {
  const auto told_late = jobs()
                             .measured()
                             .acquire(1, 0, 9950)
                             .fault("pause", "", {1}, 5100, 9900)
                             .release(1, 9960, 9970)
                             .acquire(2, 0, 9000)
                             .release(2, 9980, 9990);
  EXPECT_EQ(said(told_late.check(), kBelief), "violated:late_grant");
}

TEST(ScheduledJobs, JobsInTurnHold) {
  const auto verdict = jobs()
                           .acquire(1, 0, 3000)
                           .release(1, 3100, 3110)
                           .acquire(2, 0, 3200)
                           .release(2, 3300, 3310)
                           .acquire(1, 3120, 3400)
                           .release(1, 3500, 3510)
                           .check();
  EXPECT_EQ(said(verdict, kBelief), "holds");
}

}  // namespace
}  // namespace holdfast
