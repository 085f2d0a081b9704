// Inconclusive cells: reported as not tried, with the true reason.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "suite/expectation.hpp"
#include "suite/silent_cells.hpp"

namespace holdfast {
namespace {

PropertyVerdict seen(const char* name, Judgement judgement, const char* reason = "") {
  PropertyVerdict out;
  out.property = name;
  out.judgement = judgement;
  out.reason = reason;
  return out;
}

Cell cell_of(const char* scenario, std::vector<PropertyVerdict> properties, Outcome outcome = Outcome::as_expected) {
  TrialResult trial;
  trial.verdict.properties = std::move(properties);
  trial.outcome = outcome;
  trial.faults = {{"pause", 1, 1, "", ""}};
  Cell cell;
  cell.lock = "insert_lease";
  cell.scenario = scenario;
  cell.trials = {trial};
  sum_up(cell);
  return cell;
}

Cell judged() {
  return cell_of("judged", {seen("mutual_exclusion", Judgement::holds)});
}

RunVerdict run_of(std::vector<Cell> cells) {
  RunVerdict run;
  run.locks = {"insert_lease"};
  for (const auto& cell : cells) run.scenarios.push_back(cell.scenario);
  run.faults = {{"pause", static_cast<int>(cells.size()), static_cast<int>(cells.size()), "", ""}};
  run.cells = std::move(cells);
  set_silent_cells_apart(run);
  return run;
}

std::string why(const Cell& cell) {
  const RunVerdict run = run_of({judged(), cell});
  return run.not_tried.empty() ? "" : run.not_tried[0].why;
}

TEST(SilentCells, OnlyWaitersNameTheUnexercisedProperty) {
  const auto waited = seen("progress", Judgement::holds);
  EXPECT_EQ(why(cell_of("cut", {seen("mutual_exclusion", Judgement::not_exercised, "no two clients held or asked"),
                                seen("ownership", Judgement::not_exercised, "no release was answered"), waited})),
            "only the waiting was tested; mutual_exclusion: no two clients held or asked");
  EXPECT_EQ(why(cell_of("cut", {seen("mutual_exclusion", Judgement::not_applicable, "it promises none"),
                                seen("ownership", Judgement::not_exercised, "no release was answered"), waited})),
            "only the waiting was tested; ownership: no release was answered");
  EXPECT_EQ(why(cell_of("cut", {waited})), "only the waiting was tested");
}

TEST(SilentCells, OtherPropertiesDoNotReplaceExclusion) {
  const auto idle = seen("mutual_exclusion", Judgement::not_exercised, "grants: 2, at least 4 wanted");
  const auto owned = seen("ownership", Judgement::holds);
  EXPECT_EQ(why(cell_of("cut", {idle, owned})),
            "exclusion was not tested; mutual_exclusion: grants: 2, at least 4 wanted");
  EXPECT_EQ(why(cell_of("cut", {idle, owned, seen("lease_exclusion", Judgement::holds)})), "");
  EXPECT_EQ(why(cell_of("cut", {idle, seen("ownership", Judgement::violated)}, Outcome::unexpected)), "");
}

TEST(SilentCells, CellWithAJudgedHolderPropertyIsNotSilent) {
  EXPECT_EQ(why(cell_of("cut", {seen("ownership", Judgement::holds), seen("progress", Judgement::holds)})), "");
  EXPECT_EQ(why(cell_of("cut", {seen("progress", Judgement::violated)}, Outcome::unexpected)), "");
}

TEST(SilentCells, UnfiredFaultIsNamed) {
  Cell cell = cell_of("cut", {seen("mutual_exclusion", Judgement::holds)}, Outcome::undecided);
  cell.trials[0].mismatches = {{kFaults, "in force", "never"}};
  EXPECT_EQ(why(cell), "the injection point of one of its faults was never reached");
  cell.trials[0].mismatches.push_back({"progress", "holds", "undecided"});
  EXPECT_EQ(why(cell), "") << "something else was wrong, too";
}

TEST(SilentCells, FaultOnRefusedAttemptsOnlyIsNamed) {
  const std::string words = "the pause struck 3 refused attempts and no grant";
  Cell cell = cell_of("cut", {seen("resource", Judgement::holds)}, Outcome::undecided);
  cell.trials[0].mismatches = {{kFaults, "struck a grant", kNotExercised + words}};
  EXPECT_EQ(why(cell), words);
}

TEST(SilentCells, FaultMissingInAllTrialsLacksItsMoment) {
  Cell cell = cell_of("cut", {seen("mutual_exclusion", Judgement::holds)}, Outcome::undecided);
  cell.trials[0].mismatches = {{kFaults, "in force", "never"}};
  cell.trials.resize(2, cell.trials[0]);
  EXPECT_FALSE(lacks_the_moment(cell)) << "twice may be the machine";
  cell.trials.resize(3, cell.trials[0]);
  EXPECT_TRUE(lacks_the_moment(cell));
  cell.trials[1].outcome = Outcome::as_expected;
  EXPECT_FALSE(lacks_the_moment(cell)) << "it came in one";
}

TEST(SilentCells, DropTheirProofsAndColumn) {
  const RunVerdict run = run_of({judged(), cell_of("cut", {seen("progress", Judgement::holds)})});
  ASSERT_EQ(run.cells.size(), 1u);
  EXPECT_EQ(run.scenarios, std::vector<std::string>{"judged"});
  EXPECT_EQ(run.locks, std::vector<std::string>{"insert_lease"});
  ASSERT_EQ(run.faults.size(), 1u);
  EXPECT_EQ(run.faults[0].planned, 1);
  EXPECT_EQ(run.faults[0].acted, 1);
  EXPECT_EQ(run.exit_code, 0);
}

TEST(SilentCells, AloneAreNotPass) {
  const RunVerdict run = run_of({cell_of("cut", {seen("progress", Judgement::holds)})});
  EXPECT_TRUE(run.not_tried.empty());
  ASSERT_EQ(run.cells.size(), 1u);
  EXPECT_EQ(run.cells[0].outcome, Outcome::nothing_judged);
  EXPECT_EQ(run.exit_code, kExitUndecided);
}

}  // namespace
}  // namespace holdfast
