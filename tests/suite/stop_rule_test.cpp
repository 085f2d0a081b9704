// When a cell needs no further trial, and what clean ones say.
#include "suite/stop_rule.hpp"

#include <gtest/gtest.h>

#include "suite/expectation.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

TEST(CleanTrials, AreAsManyAsTheConfidenceNeeds) {
  EXPECT_EQ(clean_trials(0.99, 0.05), 90);
  EXPECT_EQ(clean_trials(0.95, 0.05), 59);
  EXPECT_EQ(clean_trials(0.99, 0.5), 7);
  EXPECT_EQ(clean_trials(0.5, 0.5), 1);
  EXPECT_EQ(clean_trials(0.999, 0.001), 6905);
}

TEST(CleanTrials, SharesAreReadAsPeopleWriteThem) {
  EXPECT_DOUBLE_EQ(parse_share("99%", "--confidence"), 0.99);
  EXPECT_DOUBLE_EQ(parse_share("0.05", "--rate"), 0.05);
  EXPECT_DOUBLE_EQ(parse_share("2.5%", "--rate"), 0.025);
  for (const char* wrong : {"", "%", "0", "0%", "100%", "1", "99", "-1%", "5 %", "5%%", "nan", "inf"}) {
    EXPECT_NE(refusal([wrong] { parse_share(wrong, "--rate"); }).find("--rate"), std::string::npos) << wrong;
  }
}

TrialResult ended(Outcome outcome) {
  TrialResult out;
  out.folder = "cells/x/y/1";
  out.outcome = outcome;
  return out;
}

Cell repeated(const std::vector<Outcome>& outcomes) {
  Cell out;
  out.until_decided = true;
  for (const auto outcome : outcomes) out.trials.push_back(ended(outcome));
  sum_up(out);
  return out;
}

TEST(StopRules, ViolationDecidesACell) {
  EXPECT_TRUE(decides(ended(Outcome::caught)));
  EXPECT_TRUE(decides(ended(Outcome::unexpected)));
  for (const auto other : {Outcome::as_expected, Outcome::allowed, Outcome::missed, Outcome::undecided,
                           Outcome::harness_error, Outcome::nothing_judged}) {
    EXPECT_FALSE(decides(ended(other)));
  }
  EXPECT_FALSE(decides(TrialResult{})) << "it has not been run";
}

TEST(StopRules, LaterCatchOverridesAMiss) {
  EXPECT_EQ(repeated({Outcome::missed, Outcome::missed, Outcome::caught}).outcome, Outcome::caught);
  EXPECT_EQ(repeated({Outcome::missed, Outcome::missed}).outcome, Outcome::missed);
  EXPECT_EQ(repeated({Outcome::missed, Outcome::undecided, Outcome::caught}).outcome, Outcome::undecided);
  RunVerdict run;
  run.cells = {repeated({Outcome::missed, Outcome::caught})};
  EXPECT_EQ(exit_code_of(run), 0);
  run.cells[0].until_decided = false;
  EXPECT_EQ(exit_code_of(run), 1) << "of a fixed number each counts";
  run.cells = {repeated({Outcome::missed})};
  EXPECT_EQ(exit_code_of(run), 1);
}

TEST(StopRules, RuleIsReported) {
  RunVerdict run;
  run.cells = {repeated({Outcome::missed, Outcome::caught}), repeated({Outcome::as_expected, Outcome::as_expected}),
               repeated({Outcome::as_expected, Outcome::undecided})};
  StopRule rule{true, 0, "", ""};
  EXPECT_EQ(rule_text(rule, run), "Each cell was repeated until one of its trials was violated: 1 of 3 were.");
  rule = {true, 2, "75%", "50%"};
  const std::string text = rule_text(rule, run);
  EXPECT_NE(text.find(" 1 had 2 clean trials"), std::string::npos) << text;
  EXPECT_NE(text.find("50% of the trials or more would have been seen with a probability of 75%"), std::string::npos)
      << text;
}

TEST(StopRules, RepetitionAfterAMissIsReported) {
  RunVerdict run;
  run.cells = {repeated({Outcome::missed, Outcome::caught}), repeated({Outcome::as_expected})};
  run.cells[0].lock = "ip_lease";
  run.cells[0].scenario = "pause";
  run.cells[1].until_decided = false;
  EXPECT_EQ(rule_text({}, run),
            "Repeated, because the first trial did not show the expected violation: ip_lease/pause (1 of 2 trials "
            "showed it).");
  run.cells.erase(run.cells.begin());
  EXPECT_EQ(rule_text({}, run), "");
}

TEST(StopRules, OnlyMissesAskForAnotherTrial) {
  EXPECT_TRUE(is_missed(repeated({Outcome::missed})));
  EXPECT_TRUE(is_missed(repeated({Outcome::missed, Outcome::missed})));
  EXPECT_FALSE(is_missed(repeated({Outcome::missed, Outcome::caught})));
  EXPECT_FALSE(is_missed(repeated({Outcome::missed, Outcome::undecided})));
  EXPECT_FALSE(is_missed(repeated({Outcome::as_expected})));
  EXPECT_FALSE(is_missed(Cell{})) << "no trial has been run";
}

}  // namespace
}  // namespace holdfast
