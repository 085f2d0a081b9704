// Trends of cells over several runs, and their rows on the index of runs.
#include <gtest/gtest.h>

#include <regex>

#include "artifact/json_text.hpp"
#include "reports/run_trends.hpp"
#include "reports/runs_page.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_pages.hpp"
#include "tests/reports/made_up_run.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr Outcome kGood = Outcome::as_expected;
constexpr Outcome kBad = Outcome::unexpected;
constexpr Outcome kOpen = Outcome::undecided;

// Runs of one cell with these outcomes, the oldest first.
std::vector<RunLine> runs_with(const std::vector<Outcome>& outcomes) {
  std::vector<RunLine> out;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    out.push_back(made_up::run_of_day(static_cast<int>(i), {{"quick", "ip_lease", "pause", outcomes[i], ""}}));
  }
  return out;
}

// Its trend in words: "broken since 3 (2)" for the fourth of five runs.
std::string trend(const std::vector<RunLine>& runs) {
  const auto suites = trends_of(runs);
  if (suites.size() != 1) return std::to_string(suites.size()) + " suites";
  const auto& cells = suites[0].changed.empty() ? suites[0].steady : suites[0].changed;
  if (cells.size() != 1) return std::to_string(cells.size()) + " cells";
  const CellTrend& one = cells[0];
  const auto number = [&runs](const RunLine* run) { return std::to_string(run - runs.data()); };
  std::string out = to_text(one.trend);
  if (one.since != nullptr) out += " since " + number(one.since) + " (" + std::to_string(one.runs_since) + ")";
  if (one.first_broken != nullptr) out += ", first " + number(one.first_broken);
  return out;
}

TEST(RunTrends, NameTheRunInWhichACellBroke) {
  EXPECT_EQ(trend(runs_with({kGood, kGood, kGood, kBad, kBad})), "broken since 3 (2), first 3");
  EXPECT_EQ(trend(runs_with({kBad, kBad})), "broken since 0 (2), first 0");
  EXPECT_EQ(trend(runs_with({kBad, kGood, kGood, Outcome::missed})), "broken since 3 (1), first 0");
  EXPECT_EQ(trend(runs_with({kBad, kGood, kBad})), "broken since 2 (1), first 0");
}

TEST(RunTrends, ExpectedViolationsAreGood) {
  EXPECT_EQ(trend(runs_with({kGood, Outcome::allowed, Outcome::caught, kGood})), "steady");
  EXPECT_EQ(trend(runs_with({Outcome::unavailable, Outcome::unavailable})), "steady");
}

TEST(RunTrends, UnjudgedRunsAreNoChange) {
  EXPECT_EQ(trend(runs_with({kGood, kOpen, kBad, Outcome::harness_error, kBad})), "broken since 2 (2), first 2");
  EXPECT_EQ(trend(runs_with({kGood, kBad, kOpen, kGood, kOpen})), "open since 4 (1), first 1");
  EXPECT_EQ(trend(runs_with({kOpen, kOpen})), "open since 0 (2)");
}

TEST(RunTrends, FixedCellsKeepTheirFirstBreak) {
  EXPECT_EQ(trend(runs_with({kGood, kBad, kGood, kGood})), "fixed since 2 (2), first 1");
}

TEST(RunTrends, ThreeChangesAreFlaky) {
  EXPECT_EQ(trend(runs_with({kGood, kBad, kGood, kBad})), "flaky, first 1");
  auto some = runs_with({kGood, kBad});
  some[1].cells[0].mixed = true;
  EXPECT_EQ(trend(some), "flaky, first 1");
}

TEST(RunTrends, OldChangesAreNotFlaky) {
  std::vector<Outcome> outcomes{kGood, kBad, kGood, kBad};
  outcomes.resize(4 + kShownMarks, kGood);
  EXPECT_EQ(trend(runs_with(outcomes)), "fixed since 4 (12), first 1");
}

TEST(RunTrends, NeedTwoRunsOfASuite) {
  EXPECT_EQ(trend(runs_with({kBad})), "0 suites");
  auto two = runs_with({kBad, kBad});
  two[1].cells[0].suite = "redis";
  EXPECT_EQ(trend(two), "0 suites");
}

TEST(RunTrends, FollowTheTimeOfRunsAndNotTheirNames) {
  auto runs = runs_with({kGood, kBad});
  runs[0].folder = "z";
  EXPECT_EQ(trend(runs), "broken since 1 (1), first 1");
}

TEST(RunTrends, CellsOfARunSayWhatWasSeen) {
  const made_up::Page page = made_up::failing_run(3);
  const auto cell = std::find_if(page.run.cells.begin(), page.run.cells.end(),
                                 [](const Cell& one) { return one.outcome == Outcome::unexpected; });
  ASSERT_NE(cell, page.run.cells.end());
  Cell mixed = *cell;
  const RunCell all = run_cell(mixed);
  EXPECT_EQ(all.lock + "/" + all.scenario, "nowait_lease/skew");
  EXPECT_TRUE(has(all.seen, "mutual_exclusion violated:")) << all.seen;
  EXPECT_TRUE(has(all.seen, " in 3 of 3 trials")) << all.seen;
  EXPECT_FALSE(all.mixed);
  mixed.trials[0].outcome = Outcome::as_expected;
  EXPECT_TRUE(run_cell(mixed).mixed);
}

TEST(RunsPage, ShowsTrendsBeforeTheRuns) {
  const RunsPageInput in = made_up::runs_with_trends();
  const std::string page = runs_page(in);
  const std::string path = test_file("runs_trends.html");
  write_text_file(path, page);
  EXPECT_EQ(std::system(("python3 '" HOLDFAST_SOURCE "/tests/page/structure.py' '" + path + "'").c_str()), 0);
  const std::string text = std::regex_replace(page.substr(page.find("<main>")), std::regex("<[^>]*>"), "");
  EXPECT_TRUE(has(text, "Cells of quick over 6 runs"));
  EXPECT_TRUE(has(text, "broken since 20260115T120000Z-a: 2 runs")) << text;
  EXPECT_TRUE(has(text, "flaky: changed 5 times in 6 runs; broke first in 20260112T120000Z-a")) << text;
  EXPECT_TRUE(has(text, "open since 20260116T120000Z-a: not judged in 1 run")) << text;
  EXPECT_TRUE(has(text, "1 steady cell"));
  EXPECT_TRUE(has(page, "href=\"./20260115T120000Z-a/report.html#ip_lease/pause\""));
  EXPECT_TRUE(has(page, "aria-label=\"20260115T120000Z-a: unexpected, mutual_exclusion violated:overrun\""));
  EXPECT_LT(page.find("Cells of quick"), page.find("class=\"numbers cards runs\""));
  EXPECT_FALSE(has(runs_page(made_up::runs()), "Cells of"));
}

TEST(RunTrends, CellsThatNoRunBeganAreFolded) {
  RunsPageInput in = made_up::runs_with_trends();
  for (RunLine& run : in.runs) {
    run.cells.push_back({"quick", "late_lock", "none", Outcome::not_run, ""});
    run.cells.push_back({"quick", "odd_lock", "none", Outcome::harness_error, ""});
  }
  const std::string page = runs_page(in);
  const auto folded = page.find("1 cell that no run began");
  ASSERT_NE(folded, std::string::npos);
  EXPECT_GT(page.find("late_lock/none"), folded);
  EXPECT_LT(page.find("odd_lock/none"), folded) << "an error is not folded";
}

}  // namespace
}  // namespace holdfast
