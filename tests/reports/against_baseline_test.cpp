// A run that was compared with a baseline: its reports list new things before known ones, and each once.
#include <gtest/gtest.h>

#include <algorithm>

#include "artifact/entry.hpp"
#include "reports/finding.hpp"
#include "reports/format.hpp"
#include "reports/matrix.hpp"
#include "reports/run_changes.hpp"
#include "tests/reports/has.hpp"

namespace holdfast {
namespace {

PropertyVerdict violated(const std::string& name) {
  PropertyVerdict out;
  out.property = name;
  out.judgement = Judgement::violated;
  out.kind = "algorithm";
  out.kinds = {{"algorithm", 1}};
  Witness witness;
  witness.kind = "algorithm";
  witness.text = "what was seen of " + name;
  out.witnesses = {witness};
  return out;
}

RunChange changed(Change how, const std::string& property, const std::string& scenario = "pause") {
  RunChange out;
  out.lock = "ip_lease";
  out.scenario = scenario;
  out.property = property;
  out.change = how;
  out.bad = 2;
  out.judged = out.judged_before = 3;
  out.bad_before = how == Change::fresh ? 0 : 2;
  out.why = "why";
  return out;
}

Cell broken_cell(const std::string& scenario) {
  Cell cell;
  cell.lock = "ip_lease";
  cell.scenario = scenario;
  cell.outcome = Outcome::unexpected;
  TrialResult trial;
  trial.outcome = Outcome::unexpected;
  for (const char* name : {"resource", "progress"}) {
    trial.verdict.properties.push_back(violated(name));
    trial.mismatches.push_back({name, "holds", "violated:algorithm"});
  }
  cell.trials = {trial};
  return cell;
}

// Damaged data, which is known, and a lock that no client could get, which is less severe and new.
RunVerdict compared() {
  RunVerdict run;
  run.baseline = "kept.json";
  run.cells = {broken_cell("pause")};
  run.changes = {changed(Change::fresh, "progress"), changed(Change::still, "resource")};
  return run;
}

std::string junit_of(const RunVerdict& run) {
  const RunAssessment found = assess(run);
  return find_entry(formats(), "junit")->of_run({{{}, found}, ""});
}

TEST(AgainstABaseline, NewViolationsComeBeforeWorseKnownOnes) {
  RunVerdict run = compared();
  EXPECT_EQ(finding_of(run.cells[0]).property->property, "resource");
  EXPECT_EQ(finding_of(run, run.cells[0]).property->property, "progress");
  run.changes[0].change = Change::still;
  EXPECT_EQ(finding_of(run, run.cells[0]).property->property, "resource") << "nothing is new";
  run = compared();
  run.cells[0].trials.insert(run.cells[0].trials.begin(), run.cells[0].trials[0]);
  auto& first = run.cells[0].trials[0];
  first.verdict.properties.pop_back();
  first.mismatches.pop_back();
  EXPECT_EQ(finding_of(run, run.cells[0]).trial, &run.cells[0].trials[1]) << "the first trial does not show it";
}

TEST(AgainstABaseline, JunitFailsOnNewViolations) {
  const std::string text = junit_of(compared());
  const auto at = text.find("<failure message=\"new since the baseline: ip_lease under pause: ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_LT(text.find("what was seen of progress"), text.find("</failure>")) << text;
  EXPECT_FALSE(has(text, "what was seen of resource")) << text;
  EXPECT_TRUE(has(text, "still: resource in 2 of 3 trials (2 of 3 before)")) << text;
  RunVerdict known = compared();
  known.changes[0].change = Change::still;
  EXPECT_TRUE(has(junit_of(known), "<skipped message=\"known, as in the baseline: ")) << junit_of(known);
  known.baseline.clear();
  known.changes.clear();
  EXPECT_TRUE(has(junit_of(known), "<failure message=\"ip_lease under pause: ")) << junit_of(known);
}

TEST(AgainstABaseline, CellHasOneLinePerChange) {
  RunVerdict run = compared();
  run.changes = {changed(Change::fresh, "mutual_exclusion"), changed(Change::fresh, "resource"),
                 changed(Change::fresh, "progress"), changed(Change::still, "ownership"),
                 changed(Change::fresh, "resource", "none")};
  run.changes[2].bad = 1;
  run.changes[4].judged_before = 0;
  run.changes[4].why = "this cell is not in the baseline";
  std::vector<std::string> lines;
  for (const auto& line : change_lines(run)) lines.push_back(line.word + " " + line.text);
  EXPECT_EQ(
      lines,
      (std::vector<std::string>{
          "new ip_lease/pause: mutual_exclusion, resource in 2 of 3 trials (0 of 3 before); progress in 1 of 3 (0 "
          "of 3 before)",
          "still ip_lease/pause: ownership in 2 of 3 trials (2 of 3 before)",
          "new ip_lease/none: resource in 2 of 3 trials (this cell is not in the baseline)"}));
  EXPECT_EQ(change_lines(run, run.cells[0]).size(), 2U);
  EXPECT_TRUE(has(matrix_text(assess(run), false).text(), "\n    new     ip_lease/none: resource in 2 of 3 trials"))
      << matrix_text(assess(run), false).text();
}

TEST(AgainstABaseline, KnownViolationsDoNotExplainNewOnes) {
  RunVerdict run = compared();
  run.cells.push_back(broken_cell("none"));
  run.changes.push_back(changed(Change::still, "resource", "none"));
  run.changes.push_back(changed(Change::still, "progress", "none"));
  EXPECT_EQ(assess(run).causes.size(), 2U);
  run.baseline.clear();
  run.changes.clear();
  EXPECT_EQ(assess(run).causes.size(), 1U);
}

}  // namespace
}  // namespace holdfast
