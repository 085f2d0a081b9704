// Assertions over the trials of a run: one that no trial reached is not a pass.
#include "suite/run_assertions.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

Cell asserting_cell(const std::string& lock, const std::vector<AssertionCount>& counts) {
  PropertyVerdict asserted;
  asserted.property = "author_assertions";
  asserted.assertions = counts;
  PropertyVerdict other;
  other.property = "progress";
  other.judgement = Judgement::holds;
  TrialResult trial;
  trial.verdict.properties = {asserted, other};
  Cell cell;
  cell.lock = lock;
  cell.trials = {trial};
  return cell;
}

RunVerdict asserting_run(const std::vector<Cell>& cells) {
  RunVerdict run;
  run.cells = cells;
  run.assertions = run_assertions(cells);
  return run;
}

constexpr AssertionKind kSometimes = AssertionKind::sometimes;

TEST(RunAssertions, OneTrialIsEnough) {
  const auto run = asserting_run({asserting_cell("a", {{kSometimes, "retry", 0, 5}}),
                                  asserting_cell("a+found_rows", {{kSometimes, "retry", 2, 0}})});
  ASSERT_EQ(run.assertions.size(), 1U);
  EXPECT_EQ(run.assertions[0].lock, "a");
  EXPECT_EQ(run.assertions[0].count.held, 2);
  EXPECT_EQ(run.assertions[0].count.failed, 5);
  EXPECT_TRUE(run.assertions[0].reached);
  EXPECT_EQ(exit_code_of(run), kExitAsExpected);
}

TEST(RunAssertions, NeverReachedIsNoPass) {
  for (const AssertionCount& one :
       {AssertionCount{kSometimes, "retry", 0, 5}, AssertionCount{AssertionKind::reached, "fallback", 0, 0},
        AssertionCount{AssertionKind::always, "silent", 0, 0}}) {
    const auto run = asserting_run({asserting_cell("a", {one})});
    EXPECT_TRUE(has_unreached(run)) << one.name;
    EXPECT_EQ(exit_code_of(run), kExitUndecided) << one.name;
  }
}

TEST(RunAssertions, AnotherLockDoesNotReachThem) {
  const auto run = asserting_run(
      {asserting_cell("a", {{kSometimes, "retry", 0, 1}}), asserting_cell("b", {{kSometimes, "retry", 1, 0}})});
  EXPECT_EQ(run.assertions.size(), 2U);
  EXPECT_TRUE(has_unreached(run));
}

TEST(RunAssertions, LocksWithoutThemPass) {
  EXPECT_EQ(exit_code_of(asserting_run({asserting_cell("a", {})})), kExitAsExpected);
}

// An author's assertion shows nothing about the promises of the lock.
TEST(RunAssertions, TheyDoNotMakeATrialJudged) {
  PropertyVerdict asserted;
  asserted.property = "author_assertions";
  asserted.judgement = Judgement::holds;
  TrialResult trial;
  trial.verdict.properties = {asserted};
  compare_with_expected({}, trial);
  EXPECT_EQ(trial.outcome, Outcome::nothing_judged);
  trial.verdict.properties.front().judgement = Judgement::violated;
  compare_with_expected({}, trial);
  EXPECT_EQ(trial.outcome, Outcome::unexpected);
}

}  // namespace
}  // namespace holdfast
