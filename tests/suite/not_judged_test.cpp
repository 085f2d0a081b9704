// Properties that a scenario is not about.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "reports/sentence.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

TEST(NotJudged, IsAsExpectedButNoPassByItself) {
  PropertyVerdict resource;
  resource.property = "resource";
  resource.judgement = Judgement::violated;
  resource.kinds["algorithm"] = 1;
  PropertyVerdict progress;
  progress.property = "progress";
  progress.judgement = Judgement::holds;
  TrialResult trial;
  trial.verdict.properties = {resource, progress};
  compare_with_expected({{"resource", "not_judged"}}, trial);
  EXPECT_EQ(trial.outcome, Outcome::as_expected);
  compare_with_expected({{"resource", "not_judged"}, {"progress", "not_judged"}}, trial);
  EXPECT_EQ(trial.outcome, Outcome::nothing_judged);
  compare_with_expected({{"progress", "not_judged"}}, trial);
  EXPECT_EQ(trial.outcome, Outcome::unexpected);
}

PropertyVerdict property_seen(const char* name, Judgement judgement) {
  PropertyVerdict out;
  out.property = name;
  out.judgement = judgement;
  return out;
}

// As expected each, and yet nothing is known of the lock.
TrialResult nothing() {
  TrialResult trial;
  trial.verdict.properties = {property_seen("ownership", Judgement::not_exercised),
                              property_seen("fencing", Judgement::not_applicable)};
  compare_with_expected({{"ownership", "not_exercised"}}, trial);
  return trial;
}

TEST(NothingJudged, IsNotPass) {
  Cell cell;
  cell.trials = {nothing()};
  EXPECT_EQ(cell.trials[0].outcome, Outcome::nothing_judged);
  sum_up(cell);
  EXPECT_EQ(cell.outcome, Outcome::nothing_judged);
  EXPECT_EQ(cell.trials_as_expected, 0);
  RunVerdict run;
  run.cells = {cell};
  EXPECT_EQ(exit_code_of(run), kExitUndecided);
  EXPECT_EQ(sentence_parts(assess(run)).word, "NOTHING JUDGED");
}

TEST(NothingJudged, KeepsJudgedResults) {
  TrialResult some;
  some.verdict.properties = {property_seen("ownership", Judgement::not_exercised),
                             property_seen("resource", Judgement::holds)};
  compare_with_expected({{"ownership", "not_exercised"}}, some);
  EXPECT_EQ(some.outcome, Outcome::as_expected);
  Cell cell;
  cell.trials = {nothing(), some};
  sum_up(cell);
  EXPECT_EQ(cell.outcome, Outcome::as_expected);
  RunVerdict run;
  run.cells = {cell};
  EXPECT_EQ(exit_code_of(run), kExitAsExpected);
  EXPECT_EQ(sentence_parts(assess(run)).word, "PASS");
  Cell empty;
  empty.trials = {nothing()};
  sum_up(empty);
  run.cells.push_back(empty);
  EXPECT_EQ(exit_code_of(run), kExitUndecided) << "one cell of two";
  EXPECT_EQ(sentence_parts(assess(run)).word, "NOTHING JUDGED");
}

// A fixed flaw is often no longer exercised: its cell is not open for that.
TEST(AgainstABaseline, UnjudgedPropertyIsOpenOnlyIfTheCellIs) {
  TrialResult good;
  good.verdict.properties = {property_seen("ownership", Judgement::not_exercised),
                             property_seen("resource", Judgement::holds)};
  compare_with_expected({{"ownership", "not_exercised"}}, good);
  Cell cell;
  cell.lock = "my_lock";
  cell.scenario = "pause";
  cell.trials = {good};
  sum_up(cell);
  RunVerdict run;
  run.cells = {cell};
  run.baseline = "kept.json";
  RunChange change;
  change.lock = "my_lock";
  change.scenario = "pause";
  change.property = "ownership";
  change.change = Change::unknown;
  run.changes = {change};
  EXPECT_EQ(exit_code_of(run), kExitAsExpected);
  run.changes[0].scenario = "kill";
  EXPECT_EQ(exit_code_of(run), kExitUndecided) << "of a cell that nobody can call good";
  run.changes = {change};
  run.cells[0].outcome = Outcome::unexpected;
  EXPECT_EQ(exit_code_of(run), kExitUndecided);
}

}  // namespace
}  // namespace holdfast
