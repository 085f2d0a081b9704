// Expected against seen, and the resulting exit code.
#include "suite/expectation.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

PropertyVerdict resource_seen(Judgement judgement, const std::vector<std::string>& kinds = {}) {
  PropertyVerdict out;
  out.property = "resource";
  out.judgement = judgement;
  for (const auto& kind : kinds) ++out.kinds[kind];
  return out;
}

Outcome outcome(const std::string& expected, const PropertyVerdict& property) {
  PropertyVerdict other;  // so that something was judged, whatever became of this one
  other.property = "progress";
  other.judgement = Judgement::holds;
  TrialResult trial;
  trial.verdict.properties = {property, other};
  std::map<std::string, std::string> stated;
  if (!expected.empty()) stated["resource"] = expected;
  compare_with_expected(stated, trial);
  return trial.outcome;
}

TEST(Expectation, UnnamedPropertyMustHoldOrNotApply) {
  EXPECT_EQ(outcome("", resource_seen(Judgement::holds)), Outcome::as_expected);
  EXPECT_EQ(outcome("", resource_seen(Judgement::not_applicable)), Outcome::as_expected);
  EXPECT_EQ(outcome("", resource_seen(Judgement::violated, {"algorithm"})), Outcome::unexpected);
  EXPECT_EQ(outcome("", resource_seen(Judgement::undecided)), Outcome::undecided);
  EXPECT_EQ(outcome("", resource_seen(Judgement::not_exercised)), Outcome::undecided);
}

TEST(Expectation, AllowedViolationIsOptional) {
  EXPECT_EQ(outcome("allowed:overrun", resource_seen(Judgement::violated, {"overrun"})), Outcome::allowed);
  EXPECT_EQ(outcome("allowed:overrun", resource_seen(Judgement::holds)), Outcome::as_expected);
  EXPECT_EQ(outcome("allowed:overrun", resource_seen(Judgement::not_exercised)), Outcome::as_expected);
  EXPECT_EQ(outcome("allowed:overrun", resource_seen(Judgement::violated, {"overrun", "algorithm"})),
            Outcome::unexpected);
  EXPECT_EQ(outcome("allowed", resource_seen(Judgement::violated, {"overrun"})), Outcome::unexpected);
  EXPECT_EQ(outcome("allowed", resource_seen(Judgement::undecided)), Outcome::undecided);
}

TEST(Expectation, NarrowKindMatchesAWiderExpectation) {
  EXPECT_EQ(outcome("violated:algorithm", resource_seen(Judgement::violated, {"locked_nothing"})), Outcome::caught);
  EXPECT_EQ(outcome("violated:overrun,algorithm", resource_seen(Judgement::violated, {"waited_out", "locked_nothing"})),
            Outcome::caught);
  EXPECT_EQ(outcome("allowed:reply_lost", resource_seen(Judgement::violated, {"believed_unanswered"})),
            Outcome::allowed);
  EXPECT_EQ(outcome("violated:locked_nothing", resource_seen(Judgement::violated, {"algorithm"})), Outcome::unexpected);
  EXPECT_EQ(outcome("violated:partition", resource_seen(Judgement::violated, {"locked_nothing"})), Outcome::unexpected);
}

TEST(Expectation, HoldsButAllowsOnlyItsCause) {
  const std::string but = "holds_but:client_skew";
  EXPECT_EQ(outcome(but, resource_seen(Judgement::violated, {"client_skew"})), Outcome::allowed);
  EXPECT_EQ(outcome(but, resource_seen(Judgement::violated, {"client_skew", "algorithm"})), Outcome::unexpected);
  EXPECT_EQ(outcome(but, resource_seen(Judgement::violated, {"overrun"})), Outcome::unexpected);
  EXPECT_EQ(outcome(but, resource_seen(Judgement::holds)), Outcome::as_expected);
  EXPECT_EQ(outcome(but, resource_seen(Judgement::not_exercised)), Outcome::undecided);
  EXPECT_EQ(outcome(but, resource_seen(Judgement::undecided)), Outcome::undecided);
}

TEST(Expectation, TrialWithoutItsPlannedFaultIsUndecided) {
  TrialResult trial;
  trial.verdict.properties = {resource_seen(Judgement::holds)};
  FaultProof proof;
  proof.fault = "pause";
  proof.planned = 1;
  trial.faults = {proof};
  compare_with_expected({}, trial);
  EXPECT_EQ(trial.outcome, Outcome::undecided);
  ASSERT_EQ(trial.mismatches.size(), 1U);
  EXPECT_EQ(trial.mismatches.front().property, kFaults);
  trial.faults.front().acted = 1;
  compare_with_expected({}, trial);
  EXPECT_EQ(trial.outcome, Outcome::as_expected);
  proof.fault = "kill";
  trial.faults.push_back(proof);  // one of two is not enough
  compare_with_expected({}, trial);
  EXPECT_EQ(trial.outcome, Outcome::undecided);
}

TEST(Expectation, FaultOnRefusedAttemptsOnlyIsUndecided) {
  TrialResult trial;
  trial.verdict.properties = {resource_seen(Judgement::holds)};
  FaultProof proof;
  proof.fault = "pause";
  proof.planned = proof.acted = 3;
  proof.struck.refused = 3;
  trial.faults = {proof};
  compare_with_expected({}, trial);
  EXPECT_EQ(trial.outcome, Outcome::undecided);
  ASSERT_EQ(trial.mismatches.size(), 1U);
  EXPECT_EQ(trial.mismatches.front().property, kFaults);
  EXPECT_EQ(trial.mismatches.front().seen, "not_exercised: the pause struck 3 refused attempts and no grant");

  trial.faults.front().struck.granted = 1;
  compare_with_expected({}, trial);
  EXPECT_EQ(trial.outcome, Outcome::as_expected);

  trial.faults.front().struck.granted = 0;
  trial.verdict.properties = {resource_seen(Judgement::violated, {"algorithm"})};
  compare_with_expected({{"resource", "violated"}}, trial);
  EXPECT_EQ(trial.outcome, Outcome::caught) << "what was seen was seen";
  compare_with_expected({{"resource", "allowed:algorithm"}}, trial);
  EXPECT_EQ(trial.outcome, Outcome::allowed);
}

TEST(Expectation, AnExpectedViolationIsCaughtOrMissed) {
  EXPECT_EQ(outcome("violated", resource_seen(Judgement::violated, {"algorithm"})), Outcome::caught);
  EXPECT_EQ(outcome("violated:overrun", resource_seen(Judgement::violated, {"overrun"})), Outcome::caught);
  EXPECT_EQ(outcome("violated", resource_seen(Judgement::holds)), Outcome::missed);
  EXPECT_EQ(outcome("violated:overrun", resource_seen(Judgement::not_applicable)), Outcome::missed);
  EXPECT_EQ(outcome("violated", resource_seen(Judgement::undecided)), Outcome::undecided);
  EXPECT_EQ(outcome("violated", resource_seen(Judgement::not_exercised)), Outcome::undecided);
}

TEST(Expectation, NotRunIsNotPass) {
  Cell cell;
  cell.trials.resize(2);
  cell.planned = 3;
  sum_up(cell);
  EXPECT_EQ(cell.outcome, Outcome::not_run);
  EXPECT_EQ(cell.trials_not_run(), 1);
  RunVerdict run;
  run.cells = {cell};
  EXPECT_EQ(exit_code_of(run), kExitUndecided);
  run.cells[0].trials[0].outcome = Outcome::unexpected;
  sum_up(run.cells[0]);
  EXPECT_EQ(run.cells[0].outcome, Outcome::unexpected) << "what is known to be wrong is worse";
  EXPECT_EQ(exit_code_of(run), kExitNotAsExpected);
}

TEST(Expectation, KindMustMatch) {
  EXPECT_EQ(outcome("violated:overrun", resource_seen(Judgement::violated, {"algorithm"})), Outcome::unexpected);
  EXPECT_EQ(outcome("violated:overrun", resource_seen(Judgement::violated, {"algorithm", "overrun"})),
            Outcome::unexpected);
  EXPECT_EQ(outcome("violated:client_skew,algorithm", resource_seen(Judgement::violated, {"client_skew"})),
            Outcome::caught);
  EXPECT_EQ(outcome("violated:client_skew,algorithm", resource_seen(Judgement::violated, {"algorithm", "client_skew"})),
            Outcome::caught);
  EXPECT_EQ(outcome("violated:client_skew,algorithm", resource_seen(Judgement::violated, {"algorithm"})),
            Outcome::unexpected)
      << "the first kind must be seen";
}

TrialVerdict control_of(const PropertyVerdict& resource, Judgement progress = Judgement::holds) {
  PropertyVerdict other;
  other.property = "progress";
  other.judgement = progress;
  TrialVerdict out;
  out.properties = {resource, other};
  return out;
}

TrialResult caught(const TrialVerdict& control) {
  TrialResult trial;
  trial.outcome = Outcome::caught;
  trial.control = ControlResult{"other", "the flaw", "folder", false, ""};
  compare_control({{"resource", "violated:overrun"}, {"progress", "not_exercised"}}, control, trial);
  return trial;
}

TEST(ControlOf, HoldingControlProvesTheFlaw) {
  const TrialResult trial = caught(control_of(resource_seen(Judgement::holds)));
  EXPECT_EQ(trial.outcome, Outcome::caught);
  EXPECT_TRUE(trial.control->held);
  EXPECT_TRUE(trial.mismatches.empty());
  EXPECT_TRUE(caught(control_of(resource_seen(Judgement::holds), Judgement::not_exercised)).control->held);
}

TEST(ControlOf, BrokenControlIsUnexpected) {
  const TrialResult trial = caught(control_of(resource_seen(Judgement::violated, {"overrun"})));
  EXPECT_EQ(trial.outcome, Outcome::unexpected);
  EXPECT_FALSE(trial.control->held);
  EXPECT_EQ(trial.control->seen, "resource violated:overrun");
  ASSERT_EQ(trial.mismatches.size(), 1u);
  EXPECT_EQ(trial.mismatches[0].property, "control");
  EXPECT_EQ(caught(control_of(resource_seen(Judgement::holds), Judgement::violated)).outcome, Outcome::unexpected)
      << "whatever it breaks";
}

TEST(ControlOf, UnexercisedControlIsUndecided) {
  EXPECT_EQ(caught(control_of(resource_seen(Judgement::not_exercised))).outcome, Outcome::undecided);
  EXPECT_EQ(caught(control_of(resource_seen(Judgement::not_applicable))).outcome, Outcome::undecided);
  EXPECT_EQ(caught(control_of(resource_seen(Judgement::holds), Judgement::undecided)).outcome, Outcome::undecided);
}

TEST(Expectation, OtherWordsAreLiteral) {
  EXPECT_EQ(outcome("holds", resource_seen(Judgement::holds)), Outcome::as_expected);
  EXPECT_EQ(outcome("holds", resource_seen(Judgement::not_applicable)), Outcome::missed);
  EXPECT_EQ(outcome("not_exercised", resource_seen(Judgement::not_exercised)), Outcome::as_expected);
  EXPECT_EQ(outcome("not_exercised", resource_seen(Judgement::holds)), Outcome::as_expected) << "that says more";
  EXPECT_EQ(outcome("not_exercised", resource_seen(Judgement::violated, {"x"})), Outcome::unexpected);
  EXPECT_EQ(outcome("not_exercised", resource_seen(Judgement::undecided)), Outcome::undecided);
  EXPECT_EQ(outcome("undecided", resource_seen(Judgement::undecided)), Outcome::as_expected);
  EXPECT_EQ(outcome("undecided", resource_seen(Judgement::holds)), Outcome::missed);
  EXPECT_EQ(outcome("not_applicable", resource_seen(Judgement::not_applicable)), Outcome::as_expected);
  EXPECT_EQ(outcome("not_applicable", resource_seen(Judgement::holds)), Outcome::missed);
}

TEST(Expectation, MismatchesAreNamed) {
  TrialResult trial;
  trial.outcome = Outcome::unexpected;
  trial.mismatches = {{"old", "", ""}};
  trial.verdict.properties = {resource_seen(Judgement::violated, {"algorithm", "overrun"}),
                              resource_seen(Judgement::holds)};
  trial.verdict.properties[1].property = "fencing";
  compare_with_expected({{"fencing", "holds"}}, trial);
  ASSERT_EQ(trial.mismatches.size(), 1u);
  EXPECT_EQ(trial.mismatches[0].property, "resource");
  EXPECT_EQ(trial.mismatches[0].expected, "holds");
  EXPECT_EQ(trial.mismatches[0].seen, "violated:algorithm,overrun");
  trial.verdict.properties = {resource_seen(Judgement::holds)};
  compare_with_expected({}, trial);
  EXPECT_TRUE(trial.mismatches.empty());
  EXPECT_EQ(trial.outcome, Outcome::as_expected);
}

TrialResult trial_of(Outcome outcome) {
  TrialResult trial;
  trial.outcome = outcome;
  return trial;
}

Cell cell_of(const std::vector<Outcome>& outcomes) {
  Cell cell;
  for (const auto one : outcomes) cell.trials.push_back(trial_of(one));
  sum_up(cell);
  return cell;
}

TEST(Cells, HaveTheirWorstTrialsOutcome) {
  EXPECT_EQ(cell_of({Outcome::as_expected, Outcome::as_expected}).outcome, Outcome::as_expected);
  EXPECT_EQ(cell_of({Outcome::as_expected, Outcome::caught}).outcome, Outcome::caught);
  EXPECT_EQ(cell_of({Outcome::undecided, Outcome::unexpected, Outcome::caught}).outcome, Outcome::unexpected);
  EXPECT_EQ(cell_of({Outcome::harness_error, Outcome::missed}).outcome, Outcome::missed);
  EXPECT_EQ(cell_of({Outcome::caught, Outcome::as_expected, Outcome::undecided}).trials_as_expected, 2);
  EXPECT_EQ(cell_of({}).trials_as_expected, 0);
}

int code(const std::vector<Outcome>& outcomes, bool interrupted = false) {
  RunVerdict run;
  run.interrupted = interrupted;
  run.cells = {cell_of(outcomes), cell_of({})};
  return exit_code_of(run);
}

TEST(ExitCode, EachOutcomeHasItsCode) {
  EXPECT_EQ(code({Outcome::as_expected}), 0);
  EXPECT_EQ(code({Outcome::caught}), 0);
  EXPECT_EQ(code({Outcome::missed}), 1);
  EXPECT_EQ(code({Outcome::unexpected}), 1);
  EXPECT_EQ(code({Outcome::undecided}), 3);
  EXPECT_EQ(code({Outcome::unavailable}), 4);
  EXPECT_EQ(code({Outcome::harness_error}), 5);
  EXPECT_EQ(code({Outcome::as_expected}, true), 130);
}

// First that applies: 130, 1, 5, 3, 4, 0.
TEST(ExitCode, MostSevereOutcomeWins) {
  const std::vector<std::pair<Outcome, int>> order{
      {Outcome::unexpected, 1}, {Outcome::harness_error, 5}, {Outcome::undecided, 3}, {Outcome::as_expected, 0}};
  for (std::size_t more_severe = 0; more_severe < order.size(); ++more_severe) {
    EXPECT_EQ(code({order[more_severe].first}, true), 130);
    for (std::size_t other = more_severe; other < order.size(); ++other) {
      EXPECT_EQ(code({order[other].first, order[more_severe].first}), order[more_severe].second);
    }
  }
  EXPECT_EQ(code({Outcome::unavailable, Outcome::as_expected}), 0) << "something could run";
  EXPECT_EQ(code({Outcome::unavailable, Outcome::undecided}), 3);
  EXPECT_EQ(code({}), 4) << "nothing ran";
}

}  // namespace
}  // namespace holdfast
