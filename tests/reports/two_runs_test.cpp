// The changes between two runs, and their page.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "artifact/json_text.hpp"
#include "reports/two_runs.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_run.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

// A cell with one trial: `kind` of a violation of mutual exclusion, or empty.
Cell cell_of(const std::string& lock, Outcome outcome, const std::string& kind = "", double took_s = 1) {
  TrialResult trial;
  trial.outcome = outcome;
  trial.seconds = took_s;
  if (!kind.empty()) {
    PropertyVerdict violated;
    violated.property = "mutual_exclusion";
    violated.judgement = Judgement::violated;
    violated.kind = kind;
    violated.kinds = {{kind, 1}};
    trial.verdict.properties = {violated};
  }
  Cell out;
  out.lock = lock;
  out.scenario = "pause";
  out.outcome = outcome;
  out.trials = {trial};
  return out;
}

RunVerdict run_of(std::vector<Cell> cells) {
  RunVerdict out;
  out.cells = std::move(cells);
  return out;
}

// "a: broke, b: fixed" in the order of the report.
std::string changes(const RunVerdict& before, const RunVerdict& now) {
  std::string out;
  for (const auto& pair : compare_runs({"before", before}, {"now", now}).changed) {
    out += (out.empty() ? "" : ", ") + pair.now->lock + ": " + to_text(pair.change);
  }
  return out;
}

TEST(TwoRuns, NameEachChangeTheGravestFirst) {
  const RunVerdict before = run_of({cell_of("fixes", Outcome::unexpected, "overrun"), cell_of("slows", Outcome::caught),
                                    cell_of("alters", Outcome::caught, "overrun"), cell_of("stays", Outcome::caught),
                                    cell_of("opens", Outcome::as_expected), cell_of("breaks", Outcome::as_expected)});
  const RunVerdict now = run_of({cell_of("fixes", Outcome::as_expected), cell_of("slows", Outcome::caught, "", 3),
                                 cell_of("alters", Outcome::caught, "algorithm"), cell_of("stays", Outcome::caught),
                                 cell_of("opens", Outcome::undecided), cell_of("breaks", Outcome::missed)});
  EXPECT_EQ(changes(before, now),
            "breaks: broke, opens: another outcome, alters: another violation, fixes: fixed, slows: another duration");
  const TwoRuns both = compare_runs({"before", before}, {"now", now});
  EXPECT_EQ(both.same, 1);
  EXPECT_EQ(change_counts(both),
            "5 of 6 cells changed: 1 broke, 1 with another outcome, 1 with another violation, 1 fixed, 1 with another "
            "duration");
}

TEST(TwoRuns, SmallDurationsMayDiffer) {
  const auto one = [](double from_s, double to_s) {
    return changes(run_of({cell_of("a", Outcome::caught, "", from_s)}),
                   run_of({cell_of("a", Outcome::caught, "", to_s)}));
  };
  EXPECT_EQ(one(0.4, 1.2), "");
  EXPECT_EQ(one(10, 19), "");
  EXPECT_EQ(one(10, 20), "a: another duration");
  EXPECT_EQ(one(2, 1), "a: another duration");
}

TEST(TwoRuns, CellsOfOneRunAreNoChange) {
  const RunVerdict before = run_of({cell_of("gone", Outcome::caught), cell_of("both", Outcome::caught)});
  const RunVerdict now = run_of({cell_of("both", Outcome::caught), cell_of("added", Outcome::unexpected)});
  const TwoRuns both = compare_runs({"before", before}, {"now", now});
  EXPECT_EQ(change_counts(both), "no cell changed; 2 cells in only one run");
  ASSERT_EQ(both.only_before.size(), 1U);
  EXPECT_EQ(both.only_before[0]->lock, "gone");
  ASSERT_EQ(both.only_now.size(), 1U);
  EXPECT_EQ(both.only_now[0]->lock, "added");
}

int page_errors(const std::string& name, const std::string& page) {
  const std::string path = test_file("two_runs_" + name + ".html");
  write_text_file(path, page);
  return std::system(("python3 '" HOLDFAST_SOURCE "/tests/page/structure.py' '" + path + "'").c_str());
}

TEST(TwoRunsPage, ShowsBothSidesOfEachChange) {
  const made_up::Page before = made_up::passing_run();
  const made_up::Page now = made_up::failing_run();
  RunVerdict later = now.run;
  later.seed = before.run.seed + 1;
  const std::string page =
      two_runs_page(compare_runs({"runs/a", before.run}, {"runs/b", later}), "./report.html", "0.1.0");
  EXPECT_EQ(page_errors("changed", page), 0);
  const std::string text = std::regex_replace(page.substr(page.find("<main>")), std::regex("<[^>]*>"), "");
  EXPECT_TRUE(has(text, "runs/b against runs/a"));
  EXPECT_TRUE(has(page, "class=\"verdict fail\"")) << text.substr(0, 400);
  EXPECT_TRUE(has(page, "href=\"./report.html#nowait_lease/skew\""));
  EXPECT_TRUE(has(text, "unexpected mutual_exclusion violated:")) << text;
  EXPECT_TRUE(has(page, "<strong>" + std::to_string(later.seed) + "</strong>"));
  const std::string same = two_runs_page(compare_runs({"runs/a", later}, {"runs/b", later}), "", "0.1.0");
  EXPECT_EQ(page_errors("same", same), 0);
  EXPECT_TRUE(has(same, "no cell changed"));
  EXPECT_TRUE(has(same, "class=\"verdict pass\""));
}

TEST(TwoRunsPage, HostileNamesStayText) {
  const made_up::Page in = made_up::hostile_run();
  RunVerdict later = in.run;
  for (auto& cell : later.cells) cell.outcome = Outcome::unexpected;
  const std::string page =
      two_runs_page(compare_runs({made_up::kHostile, in.run}, {made_up::kHostile, later}), "./report.html", "0.1.0");
  EXPECT_EQ(page_errors("hostile", page), 0);
  EXPECT_FALSE(has(page, "<img"));
}

}  // namespace
}  // namespace holdfast
