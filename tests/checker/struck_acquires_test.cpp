// A fault that is aimed at a grant must have struck one: else its trial has exercised nothing, however much it granted.
#include "checker/struck_acquires.hpp"

#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

// Clients 1 and 2 take turns, and client 2 is refused while client 1 holds.
HistoryBuilder turns() {
  auto story = HistoryBuilder::run(2000);
  story.acquire(1, 100, 110).refused(2, 150, 160).release(1, 300, 310);
  return story.acquire(2, 400, 410).release(2, 500, 510).acquire(1, 600, 610);
}

StruckCounts struck_in(const TrialVerdict& verdict) {
  StruckCounts out;
  for (const FaultSpan& fault : verdict.timeline.faults) out.add(fault.struck);
  return out;
}

std::string reason_of(const TrialVerdict& verdict) {
  return verdict.find("mutual_exclusion")->reason;
}

TEST(StruckAcquires, ARefusedAttemptExercisesNothing) {
  const auto verdict = turns().fault("pause", "", {2}, 155, 200).aimed().check();
  EXPECT_EQ(said(verdict, "mutual_exclusion"), "not_exercised");
  EXPECT_EQ(reason_of(verdict), "the pause struck 1 refused attempt and no grant");
  EXPECT_EQ(struck_in(verdict), (StruckCounts{.refused = 1}));
}

TEST(StruckAcquires, AGrantExercisesIt) {
  const auto verdict = turns().fault("pause", "", {2}, 405, 450).aimed().check();
  EXPECT_EQ(said(verdict, "mutual_exclusion"), "holds");
  EXPECT_EQ(struck_in(verdict), (StruckCounts{.granted = 1}));
  EXPECT_EQ(verdict.find("mutual_exclusion")->coverage.at("struck_grants"), 1);
}

TEST(StruckAcquires, SingleGrantIsEnough) {
  const auto verdict = turns().fault("pause", "", {2}, 155, 200).fault("pause", "", {2}, 405, 450).aimed().check();
  EXPECT_EQ(said(verdict, "mutual_exclusion"), "holds");
  EXPECT_EQ(struck_in(verdict), (StruckCounts{.granted = 1, .refused = 1}));
}

TEST(StruckAcquires, EachFaultNeedsAGrant) {
  const auto verdict = turns().fault("kill", "", {2}, 155, 200).fault("pause", "", {2}, 405, 450).aimed().check();
  EXPECT_EQ(reason_of(verdict), "the kill struck 1 refused attempt and no grant");
}

TEST(StruckAcquires, UnaimedFaultNeedsNoGrant) {
  const auto verdict = turns().fault("pause", "", {2}, 155, 200).check();
  EXPECT_EQ(said(verdict, "mutual_exclusion"), "holds");
  EXPECT_FALSE(struck_in(verdict).any());
}

TEST(StruckAcquires, UnansweredAttemptMayBeAGrant) {
  const auto verdict =
      turns().uncertain(3, Op::acquire, 520, 540).fault("reply_lost", "", {3}, 530, 531).aimed().check();
  EXPECT_EQ(said(verdict, "mutual_exclusion"), "holds");
  EXPECT_EQ(struck_in(verdict), (StruckCounts{.unanswered = 1}));
}

TEST(StruckAcquires, UnansweredAttemptDuringAHoldIsKeptOut) {
  const auto verdict =
      turns().uncertain(3, Op::acquire, 150, 170).fault("reply_lost", "", {3}, 155, 156).aimed().check();
  EXPECT_EQ(reason_of(verdict),
            "the reply_lost struck 1 attempt without an answer while another client held the lock, and no grant");
  EXPECT_EQ(struck_in(verdict), (StruckCounts{.kept_out = 1}));
}

TEST(StruckAcquires, UnansweredAttemptAfterTheHoldersReleaseMayBeAGrant) {
  const auto verdict = turns()
                           .uncertain(3, Op::acquire, 290, 390)
                           .fault("hold_request", "", {3}, 295, 350)
                           .aimed(FaultAim::request)
                           .check();
  EXPECT_EQ(struck_in(verdict), (StruckCounts{.unanswered = 1}));
}

// It was granted the lock, was stopped past its lease, and looks at the time: that is what a sound client does.
TEST(StruckAcquires, GivenUpGrantIsNotARefusal) {
  const auto gave_up = [](std::int64_t another) {
    auto story = turns().release(1, 620, 630).refused(3, 700, 4000);
    return story.acquire(2, another, another + 10).fault("pause", "", {3}, 750, 3900).aimed().check();
  };
  EXPECT_EQ(struck_in(gave_up(2800)), (StruckCounts{.given_up = 1})) << "another is granted it when the lease is over";
  EXPECT_EQ(said(gave_up(2800), "mutual_exclusion"), "holds");
  EXPECT_EQ(struck_in(gave_up(740)), (StruckCounts{.refused = 1})) << "another had won it";
}

// It takes the lost reply for a refusal, asks again, learns that it has the lock, and releases it.
TEST(StruckAcquires, RetryThatFindsItsOwnGrantIsNotARefusal) {
  auto own = turns().release(1, 620, 630).refused(3, 700, 720).fault("reply_lost", "", {3}, 710, 711).aimed();
  const auto verdict = own.acquire(3, 740, 750).release(3, 800, 810).acquire(2, 820, 830).check();
  EXPECT_EQ(struck_in(verdict), (StruckCounts{.given_up = 1}));
  auto won = turns().release(1, 620, 630).refused(3, 700, 720).fault("reply_lost", "", {3}, 710, 711).aimed();
  const auto lost = won.acquire(2, 730, 735).release(2, 737, 739).acquire(3, 740, 750).check();
  EXPECT_EQ(struck_in(lost), (StruckCounts{.refused = 1}));
}

TEST(StruckAcquires, AWinnerMayBeAnsweredAfterTheLoser) {
  auto story = turns().release(1, 620, 630).refused(3, 700, 720).acquire(2, 695, 730);
  EXPECT_EQ(struck_in(story.fault("duplicate", "", {3}, 710, 711).aimed().check()), (StruckCounts{.refused = 1}));
}

// The arrival of a late request decides if it is granted.
TEST(StruckAcquires, ALateRequestThatIsRefusedIsARefusal) {
  auto story = turns().release(1, 620, 630).refused(3, 700, 4000).fault("hold_request", "", {3}, 750, 3900);
  story.acquire(2, 2800, 2810);
  const auto verdict = story.aimed(FaultAim::request).check();
  EXPECT_EQ(reason_of(verdict), "the hold_request struck 1 refused attempt and no grant");
}

TEST(StruckAcquires, FaultBeforeAnAttemptCountsForThatAttempt) {
  const auto refused = turns().fault("partition", "", {2}, 145, 200).aimed(FaultAim::request).check();
  EXPECT_EQ(struck_in(refused), (StruckCounts{.refused = 1}));
  const auto granted = turns().fault("partition", "", {2}, 390, 450).aimed(FaultAim::request).check();
  EXPECT_EQ(struck_in(granted), (StruckCounts{.granted = 1}));
}

TEST(StruckAcquires, FaultDuringAReleaseStruckNoAttempt) {
  const auto verdict = turns().fault("pause", "", {1}, 305, 450).aimed().check();
  EXPECT_EQ(said(verdict, "mutual_exclusion"), "holds");
  EXPECT_FALSE(struck_in(verdict).any());
}

TEST(StruckAcquires, ViolationIsReportedDespiteRefusalsOnly) {
  const auto verdict = turns().acquire(3, 615, 620).fault("pause", "", {2}, 155, 200).aimed().check();
  EXPECT_EQ(said(verdict, "mutual_exclusion"), "violated:algorithm");
}

TEST(StruckAcquires, NoGrantTextListsTheAttempts) {
  EXPECT_EQ(no_grant_text("pause", {.refused = 3}), "the pause struck 3 refused attempts and no grant");
  EXPECT_EQ(no_grant_text("pause", {.refused = 1, .kept_out = 2}),
            "the pause struck 1 refused attempt, 2 attempts without an answer while another client held the lock, and "
            "no grant");
  EXPECT_EQ(no_grant_text("pause", {.granted = 1, .refused = 3}), "");
  EXPECT_EQ(no_grant_text("pause", {}), "");
  EXPECT_EQ(struck_text({.granted = 2, .refused = 1}), "2 granted, 1 refused");
}

std::int64_t holders_in(const TrialVerdict& verdict) {
  std::int64_t out = 0;
  for (const FaultSpan& fault : verdict.timeline.faults) out += fault.holders;
  return out;
}

TEST(StruckHolders, AreHoldersAtTheFaultsBegin) {
  EXPECT_EQ(holders_in(turns().fault("pause", "", {1}, 200, 250).check()), 1) << "client 1 holds from 110 to 300";
  EXPECT_EQ(holders_in(turns().fault("pause", "", {1, 2}, 200, 250).check()), 1);
  EXPECT_EQ(holders_in(turns().fault("pause", "", {1}, 320, 350).check()), 0) << "it has released";
  EXPECT_EQ(holders_in(turns().fault("pause", "", {2}, 155, 200).check()), 0) << "it is refused";
}

TEST(StruckHolders, IncludeGrantsWithALostReply) {
  EXPECT_EQ(holders_in(turns().fault("reply_lost", "", {2}, 405, 406).aimed().check()), 1);
  EXPECT_EQ(holders_in(turns().fault("reply_lost", "", {2}, 155, 156).aimed().check()), 0) << "it is refused";
  const auto before = turns().fault("pause", "", {2}, 405, 450).aimed(FaultAim::request).check();
  EXPECT_EQ(holders_in(before), 0) << "it strikes before the server has granted anything";
}

}  // namespace
}  // namespace holdfast
