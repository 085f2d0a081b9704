// Results of controls for a suspected cause.
#include "suite/cause.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plan/make_plan.hpp"

namespace holdfast {
namespace {

PropertyVerdict property_of_kinds(const std::string& name, Judgement judgement,
                                  const std::vector<std::string>& kinds = {}) {
  PropertyVerdict out;
  out.property = name;
  out.judgement = judgement;
  for (const auto& kind : kinds) ++out.kinds[kind];
  return out;
}

TrialVerdict control(Judgement judgement, const std::vector<std::string>& kinds = {}) {
  TrialVerdict out;
  out.properties = {property_of_kinds("resource", judgement, kinds)};
  return out;
}

std::vector<FaultSpec> planned() {
  FaultSpec skew;
  skew.fault = "client_skew";
  FaultSpec cut;
  cut.fault = "partition";
  return {skew, cut, skew};
}

TrialResult violated(const std::vector<std::string>& kinds) {
  TrialResult out;
  out.outcome = Outcome::unexpected;
  out.verdict.properties = {property_of_kinds("resource", Judgement::violated, kinds)};
  out.mismatches = {{"resource", "holds", "violated"}};
  return out;
}

const FaultsByCause kRecorded{{"client_skew", {"client_skew"}}, {"partition", {"partition"}}};

CauseFinding skew_asked() {
  return causes_to_ask(violated({"client_skew"}), kRecorded, planned(), false).at(0);
}

TEST(Cause, UnexpectedViolationsGetControls) {
  const auto asked = causes_to_ask(violated({"client_skew", "overrun"}), kRecorded, planned(), false);
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_TRUE(asked[0].of_fault);
  EXPECT_EQ(asked[0].faults, std::vector<std::string>{"client_skew"}) << "the other fault stays";
  EXPECT_FALSE(asked[1].of_fault) << "overrun, which no fault gives";
  EXPECT_EQ(asked[1].faults, (std::vector<std::string>{"client_skew", "partition"}));
}

TEST(Cause, ExpectedViolationsNeedControlsFlag) {
  TrialResult caught = violated({"client_skew", "overrun"});
  caught.mismatches.clear();
  EXPECT_TRUE(causes_to_ask(caught, kRecorded, planned(), false).empty());
  const auto asked = causes_to_ask(caught, kRecorded, planned(), true);
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].kind, "client_skew");
}

TEST(Cause, FiveHoldingControlsConfirm) {
  CauseFinding cause = skew_asked();
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(is_open(cause));
    settle(cause, "too few");
    EXPECT_EQ(cause.state, CauseState::open);
    EXPECT_EQ(cause.note, "too few");
    EXPECT_TRUE(take(cause, i == 0 ? control(Judgement::violated, {"overrun"}) : control(Judgement::holds), false))
        << "a lapsed lease is another story";
  }
  EXPECT_FALSE(is_open(cause));
  settle(cause, "too few");
  EXPECT_EQ(cause.state, CauseState::confirmed);
  EXPECT_EQ(confirmation_text(cause), "confirmed, 5 of 5");
  EXPECT_TRUE(cause.note.empty());
}

TEST(Cause, ViolationWithoutTheFaultRefutesIt) {
  for (const char* kind : {"algorithm", "lost_lock", "partition", "server_lost_state"}) {
    CauseFinding cause = skew_asked();
    EXPECT_TRUE(take(cause, control(Judgement::holds), false));
    EXPECT_TRUE(take(cause, control(Judgement::violated, {kind}), false));
    EXPECT_FALSE(is_open(cause)) << kind;
    settle(cause, "");
    EXPECT_EQ(cause.state, CauseState::unconfirmed);
    EXPECT_EQ(confirmation_text(cause), "unconfirmed, 1 of 2");
    EXPECT_FALSE(cause.note.empty()) << "it says why only two";
  }
}

// Without the fault it is not suspected, and the rest of the same overlap is a lapse.
TEST(Cause, LapseDoesNotCountWithUnseenRenewals) {
  CauseFinding cause = skew_asked();
  EXPECT_FALSE(take(cause, control(Judgement::violated, {"overrun"}), true));
  EXPECT_EQ(cause.judged, 0);
  EXPECT_TRUE(take(cause, control(Judgement::violated, {"overrun", "algorithm"}), true));
  EXPECT_TRUE(take(cause, control(Judgement::holds), true));
  EXPECT_EQ(cause.held, 1);
  EXPECT_EQ(cause.judged, 2);
}

TEST(Cause, InconclusiveControlsDoNotCount) {
  CauseFinding cause = skew_asked();
  for (const auto judgement : {Judgement::undecided, Judgement::not_exercised, Judgement::not_applicable}) {
    EXPECT_FALSE(take(cause, control(judgement), false));
  }
  EXPECT_FALSE(take(cause, TrialVerdict{}, false));
  EXPECT_EQ(cause.judged, 0);
  settle(cause, "the injection point was not reached");
  EXPECT_EQ(cause.state, CauseState::open);
  EXPECT_EQ(confirmation_text(cause), "unconfirmed, no control could be judged");
}

// Any release can show a loss inside the lease; an action against another's lock needs a lapsed lease.
TEST(Cause, ReleasesInsideLeasesSettleALoss) {
  TrialVerdict released = control(Judgement::not_exercised);
  released.properties[0].property = "ownership";
  released.properties[0].coverage = {{"releases", 3}, {"after_lapse", 0}};
  CauseFinding cause;
  cause.property = "ownership";
  for (const char* kind : {"reply_lost", "lost_lock"}) {
    cause.kind = kind;
    EXPECT_TRUE(take(cause, released, false)) << kind;
  }
  EXPECT_EQ(cause.held, 2);
  for (const char* kind : {"foreign_release", "foreign_renew"}) {
    cause.kind = kind;
    EXPECT_FALSE(take(cause, released, false)) << kind;
  }
  released.properties[0].coverage["releases"] = 0;
  cause.kind = "reply_lost";
  EXPECT_FALSE(take(cause, released, false)) << "no client released the lock";
}

TEST(Cause, KindWithoutAFaultIsJudgedByThatKind) {
  CauseFinding cause = causes_to_ask(violated({"overrun"}), kRecorded, planned(), false).at(0);
  take(cause, control(Judgement::violated, {"algorithm"}), false);
  EXPECT_EQ(cause.held, 1);
  take(cause, control(Judgement::violated, {"overrun"}), false);
  EXPECT_EQ(cause.held, 1);
}

TEST(Cause, PlanWithoutFaultsNeedsNoControls) {
  CauseFinding cause = causes_to_ask(violated({"algorithm"}), {}, {}, false).at(0);
  EXPECT_FALSE(is_open(cause));
  settle(cause, "");
  EXPECT_EQ(cause.state, CauseState::unconfirmed);
  EXPECT_EQ(cause.note, "the plan has no faults");
}

TrialResult caught_with(const std::vector<CauseFinding>& causes) {
  TrialResult trial;
  trial.outcome = Outcome::caught;
  trial.causes = causes;
  compare_causes({{"resource", "violated:client_skew,algorithm"}, {"fencing", "violated:client_skew"}}, trial);
  return trial;
}

CauseFinding told(const std::string& property, CauseState state) {
  CauseFinding out{property, "client_skew", true, {"client_skew"}, state, 0, 0, "", {}};
  return out;
}

TEST(ExpectedCause, MustBeConfirmed) {
  EXPECT_EQ(caught_with({told("resource", CauseState::confirmed)}).outcome, Outcome::caught);
  const TrialResult refuted = caught_with({told("resource", CauseState::unconfirmed)});
  EXPECT_EQ(refuted.outcome, Outcome::unexpected);
  ASSERT_EQ(refuted.mismatches.size(), 1u);
  EXPECT_EQ(refuted.mismatches[0].expected, "violated:client_skew,algorithm");
  EXPECT_EQ(refuted.mismatches[0].seen, "violated, client_skew unconfirmed, no control could be judged");
  EXPECT_EQ(caught_with({told("resource", CauseState::open)}).outcome, Outcome::undecided);
}

TEST(ExpectedCause, OnePropertyConfirmsOrRefutes) {
  EXPECT_EQ(caught_with({told("resource", CauseState::open), told("fencing", CauseState::confirmed)}).outcome,
            Outcome::caught);
  EXPECT_EQ(caught_with({told("resource", CauseState::confirmed), told("fencing", CauseState::unconfirmed)}).outcome,
            Outcome::unexpected);
}

TEST(ExpectedCause, OnlyTheFirstKindCounts) {
  CauseFinding tolerated = told("resource", CauseState::unconfirmed);
  tolerated.kind = "partition";
  EXPECT_EQ(caught_with({tolerated}).outcome, Outcome::caught);
}

TEST(FaultsByCause, MatchTheTimeline) {
  Timeline timeline;
  timeline.faults.resize(2);
  timeline.faults[0].fault = "server_kill";
  timeline.faults[0].cause = "server_lost_state";  // as that trial's server was set up
  timeline.faults[1].fault = "pause";
  EXPECT_EQ(faults_by_cause(timeline), (FaultsByCause{{"server_lost_state", {"server_kill"}}}));
}

TEST(WithoutFaults, MatchesThePlanOfAFaultlessScenario) {
  Scenario with;
  with.name = "s";
  with.faults = planned();
  Scenario without = with;
  without.faults = {planned()[1]};
  Plan wanted = make_plan(without, "insert_lease", 7, 1);
  EXPECT_EQ(to_json(without_faults(make_plan(with, "insert_lease", 7, 1), {"client_skew"})), to_json(wanted));
  EXPECT_NE(to_json(make_plan(with, "insert_lease", 7, 1)), to_json(wanted));
}

}  // namespace
}  // namespace holdfast
