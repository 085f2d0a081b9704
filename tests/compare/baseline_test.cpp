// Changes against an earlier result: new, fixed, still, flaky or unknown.
#include "compare/baseline.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/run_verdict.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

Comparison saw(std::int64_t violated, std::int64_t judged) {
  Comparison all;
  ComparedCell cell;
  cell.variant = "ip_lease";
  cell.scenario = "quick/skew";
  SafetyCount count;
  count.property = "resource";
  count.violated = violated;
  count.judged = judged;
  cell.safety = {count};
  cell.trials.resize(3);
  all.cells = {cell};
  return all;
}

Baseline had(std::int64_t violated, std::int64_t judged) {
  return read_baseline(to_json(saw(violated, judged)));
}

std::string change(const Baseline& before, const Comparison& now) {
  const auto all = changes_since(before, now);
  return all.empty() ? "same" : to_text(all.front().change);
}

TEST(BaselineTest, EveryWayAPropertyCanChange) {
  EXPECT_EQ(change(had(0, 3), saw(0, 3)), "same");
  EXPECT_EQ(change(had(0, 3), saw(1, 3)), "new");
  EXPECT_EQ(change(had(0, 3), saw(3, 3)), "new");
  EXPECT_EQ(change(had(3, 3), saw(3, 3)), "still");
  EXPECT_EQ(change(had(3, 3), saw(0, 3)), "fixed");
  EXPECT_EQ(change(had(1, 3), saw(0, 3)), "flaky") << "not seen is not fixed where chance decides";
  EXPECT_EQ(change(had(1, 3), saw(3, 3)), "flaky");
  EXPECT_EQ(change(had(3, 3), saw(2, 3)), "flaky");
  EXPECT_EQ(change(had(3, 3), saw(0, 0)), "unknown") << "not judged is not fixed";
  EXPECT_EQ(change(had(0, 0), saw(2, 3)), "unknown");
  EXPECT_EQ(change(had(0, 0), saw(0, 3)), "same");
  EXPECT_EQ(change(Baseline{}, saw(2, 3)), "unknown");
  EXPECT_EQ(change(Baseline{}, saw(0, 3)), "same");
}

int code(const Baseline& before, Comparison now) {
  now.changes = changes_since(before, now);
  return exit_code_of(now);
}

TEST(BaselineTest, ExitCodes) {
  EXPECT_EQ(code(had(0, 3), saw(0, 3)), kExitAsExpected);
  EXPECT_EQ(code(had(3, 3), saw(3, 3)), kExitAsExpected) << "nothing new";
  EXPECT_EQ(code(had(0, 3), saw(1, 3)), kExitNotAsExpected);
  EXPECT_EQ(code(had(0, 0), saw(1, 3)), kExitUndecided);
  Comparison broken = saw(0, 3);
  broken.cells[0].trials[1].state = TrialState::harness_error;
  EXPECT_EQ(code(had(0, 3), broken), kExitHarness);
  Comparison both = saw(1, 3);
  both.cells[0].trials[1].state = TrialState::harness_error;
  EXPECT_EQ(code(had(0, 3), both), kExitNotAsExpected) << "the more_severe one counts";
  Comparison nothing = saw(0, 0);
  for (auto& trial : nothing.cells[0].trials) trial.state = TrialState::unavailable;
  EXPECT_EQ(code(had(0, 3), nothing), kExitUnavailable);
  Comparison open = saw(0, 2);
  open.cells[0].safety[0].undecided = 1;
  EXPECT_EQ(code(had(0, 3), open), kExitUndecided);
  Comparison cut = saw(1, 3);
  cut.interrupted = true;
  EXPECT_EQ(code(had(0, 3), cut), kExitInterrupted);
}

TEST(BaselineTest, RunIsABaselineByScenarioName) {
  RunVerdict run;
  Cell cell;
  cell.lock = "ip_lease";
  cell.scenario = "skew";
  TrialResult trial;
  trial.verdict.properties.resize(1);
  trial.verdict.properties[0].property = "resource";
  trial.verdict.properties[0].judgement = Judgement::violated;
  cell.trials = {trial, trial};
  TrialResult failed = trial;
  failed.outcome = Outcome::harness_error;
  cell.trials.push_back(failed);
  run.cells = {cell};
  const Baseline before = read_baseline(to_json(run));
  const auto all = changes_since(before, saw(0, 3));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].change, Change::fixed);
  EXPECT_EQ(all[0].judged_before, 2) << "a trial that failed was not judged";
}

TEST(BaselineTest, BaselineOfAnotherComparisonIsRefused) {
  const Baseline before = had(0, 3);
  Scenario scenario;
  scenario.suite = "quick";
  scenario.name = "skew";
  EXPECT_NO_THROW(check_baseline(before, {{"get_lock", "get_lock", {}}, {"ip_lease", "ip_lease", {}}}, {scenario}));
  EXPECT_EQ(refusal([&] {
              check_baseline(before, {{"get_lock", "get_lock", {}}}, {scenario});
            }),
            "it has none of these cells, so there is nothing to compare; its cells: ip_lease under quick/skew");
  scenario.suite = "documents";
  EXPECT_NE(refusal([&] { check_baseline(before, {{"ip_lease", "ip_lease", {}}}, {scenario}); }), "accepted");
}

TEST(BaselineTest, OtherFilesAreRefused) {
  EXPECT_THROW(read_baseline(nlohmann::json::object()), BadInput);
  EXPECT_THROW(read_baseline(nlohmann::json(3)), BadInput);
}

}  // namespace
}  // namespace holdfast
