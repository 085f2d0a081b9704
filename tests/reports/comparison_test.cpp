// A comparison in words, as a page and as JSON.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "reports/comparison_page.hpp"
#include "reports/comparison_text.hpp"
#include "tests/refusal.hpp"
#include "tests/reports/made_up_comparison.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

// tests/page/structure.py: well-formed, ids unique, nothing is loaded, nothing runs.
int comparison_page_errors(const std::string& name, const Comparison& all) {
  const std::string path = test_file("comparison_" + name + ".html");
  write_text_file(path, comparison_page(all));
  return std::system(("python3 '" HOLDFAST_SOURCE "/tests/page/structure.py' '" + path + "'").c_str());
}

TEST(ComparisonReport, ARowHasEveryColumn) {
  const auto row = comparison_row(made_up::comparison().cells[1]);
  ASSERT_EQ(row.size(), comparison_columns().size());
  EXPECT_EQ(row[0], "5.0");
  EXPECT_EQ(row[1], "1,500 ms (25 %), longest 1,000 ms");
  EXPECT_EQ(row[2], "45 ms");
  EXPECT_EQ(row[3], "0.90 ms / 1.40 ms");
  EXPECT_EQ(row[4], "-") << "no wait was contended: that is not 0";
  EXPECT_EQ(row[5], "2.5");
  EXPECT_EQ(row[6], "-");
  EXPECT_EQ(row[7], "resource 1/2 overrun; not exercised: ownership");
}

TEST(ComparisonReport, UnmeasuredValuesAreNotNumbers) {
  ComparedCell cell = made_up::compared_cell("x", 0);
  EXPECT_EQ(comparison_row(cell)[7], "no violation in 2 trials; not exercised: ownership");
  cell.service.unrecovered = 1;
  EXPECT_EQ(comparison_row(cell)[2], "never, 1 of 2 times");
  cell.service = {};
  cell.safety.clear();
  for (auto& trial : cell.trials) trial.state = TrialState::harness_error;
  cell.trials[0].error = "it broke";
  const auto row = comparison_row(cell);
  EXPECT_EQ(row[0], "-");
  EXPECT_EQ(row[7], "2 of 2 trials failed: it broke");
}

// Violated in one trial and open in another is both: neither hides the other.
TEST(ComparisonReport, UndecidedIsShownBesideViolated) {
  ComparedCell cell = made_up::comparison().cells[1];
  for (auto& property : cell.safety) {
    if (property.property == "resource") property.undecided = 2;
  }
  EXPECT_EQ(comparison_row(cell)[7], "resource 1/2 overrun; ? undecided: resource 2/4; not exercised: ownership");
}

TEST(ComparisonReport, FirstWordFollowsTheExitCode) {
  Comparison all = made_up::comparison();
  const auto word = [&all](int exit_code) {
    all.exit_code = exit_code;
    const std::string text = comparison_text(all).text();
    return text.substr(0, text.find("  "));
  };
  EXPECT_EQ(word(kExitHarness), "ERROR");
  EXPECT_EQ(word(kExitUnavailable), "UNAVAILABLE");
  EXPECT_EQ(word(kExitAsExpected), "COMPARED");
  all.baseline = "old.json";
  EXPECT_EQ(word(kExitHarness), "ERROR");
  EXPECT_EQ(word(kExitUndecided), "UNDECIDED");
}

TEST(ComparisonReport, TextListsChanges) {
  Comparison all = made_up::comparison();
  EXPECT_TRUE(contains(comparison_text(all).text(), "COMPARED  2 variants under 1 scenario, 2 trials each"));
  all.baseline = "old.json";
  EXPECT_TRUE(contains(comparison_text(all).text(), "NOTHING NEW"));
  EXPECT_TRUE(contains(comparison_text(all).text(), "no changes"));
  all.changes = {{"get_lock", "quick/pause", "resource", Change::fresh, 0, 3, 1, 2, "it held before"}};
  all.exit_code = kExitNotAsExpected;
  const std::string text = comparison_text(all).text();
  EXPECT_TRUE(contains(text, "NEW  1 violation not in the baseline")) << text;
  EXPECT_TRUE(contains(text, "new  get_lock quick/pause resource: violated 0 of 3 before, 1 of 2 now"));
}

TEST(ComparisonReport, TextPageAndJsonIncludeLockNotes) {
  Comparison all = made_up::comparison();
  const std::string note = "get_lock: its server is a stand-in";
  EXPECT_FALSE(to_json(all).contains("notes"));
  all.notes = {note};
  const Comparison again = from_json<Comparison>(to_json(all));
  EXPECT_TRUE(contains(comparison_text(again).text(), note));
  EXPECT_TRUE(contains(comparison_page(again), note));
}

TEST(ComparisonReport, ColumnsAreAlignedByCharacters) {
  EXPECT_EQ(aligned({{"é", "b"}, {"cc", "d"}}).text(), "é   b\ncc  d\n");
}

// Wide tables are transposed where the screen is too narrow; no line is wider than the screen.
TEST(ComparisonReport, TextFitsTheColumnsOfTheScreen) {
  const Comparison all = made_up::comparison();
  EXPECT_TRUE(contains(comparison_text(all).text(), "grants/s  unavailable"));
  const std::string narrow = comparison_text(all, 80).text();
  EXPECT_TRUE(contains(narrow, "grants/s ")) << narrow;
  EXPECT_FALSE(contains(narrow, "grants/s  unavailable")) << narrow;
  std::istringstream lines(narrow);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), 80U) << line;
}

TEST(ComparisonReport, LanesHaveAnAxisAndNamesAboveTheBars) {
  const std::string svg = comparison_svg(made_up::comparison(), "quick/pause").text();
  EXPECT_TRUE(contains(svg, ">12/s</text>")) << "three grants in a quarter of a second: " << svg;
  EXPECT_TRUE(contains(svg, ">0</text>"));
  EXPECT_TRUE(contains(svg, ">get_lock: 5.0 grants/s</text>")) << svg;
  EXPECT_LT(svg.find("class=\"bar\""), svg.find(">pause</text>")) << "written after the bars, so none covers it";
}

TEST(ComparisonReport, FaultNamesDoNotOverlap) {
  Comparison all = made_up::comparison();
  all.cells.pop_back();
  auto& faults = all.cells[0].trials[0].faults;
  faults = {faults[0], faults[0], faults[0]};
  faults[1].fault = "client_killed";
  faults[2].fault = "much_later";
  faults[2].from_ns += 2'000'000'000;
  const std::string svg = comparison_svg(all, "quick/pause").text();
  EXPECT_TRUE(contains(svg, ">pause</text>")) << svg;
  EXPECT_FALSE(contains(svg, ">client_killed</text>")) << svg;
  EXPECT_TRUE(contains(svg, ">much_later</text>")) << svg;
}

TEST(ComparisonReport, ALaneShowsTheTrialWithTheViolation) {
  const Comparison all = made_up::comparison();
  EXPECT_EQ(shown_trial(all.cells[0])->number, 1);
  EXPECT_EQ(shown_trial(all.cells[1])->number, 2);
  const std::string svg = comparison_svg(all, "quick/pause").text();
  EXPECT_TRUE(contains(svg, "violation-line"));
  EXPECT_TRUE(contains(svg, "no client could acquire a free key for 1,000 ms"));
  Comparison held = all;
  held.cells.pop_back();
  EXPECT_FALSE(contains(comparison_svg(held, "quick/pause").text(), "violation-line"));
}

TEST(ComparisonReport, HostileNamesStayText) {
  Comparison all = made_up::comparison();
  const std::string bad = "<script>alert(1)</script>\"\x1b[2J\xff\n";
  all.variants[0].name = all.cells[0].variant = bad;
  all.scenarios[0] = all.cells[0].scenario = all.cells[1].scenario = bad;
  all.cells[1].safety[0].text = all.cells[1].trials[1].properties[0].text = bad;
  all.cells[1].trials[1].faults[0].fault = all.baseline = all.command = bad;
  const std::string page = comparison_page(all);
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "\x1b"));
  EXPECT_FALSE(contains(comparison_text(all).text(), "\x1b"));
  EXPECT_TRUE(nlohmann::json::accept(to_json(all).dump()));
  EXPECT_EQ(comparison_page_errors("hostile", all), 0);
}

TEST(ComparisonReport, PageIsWellFormed) {
  EXPECT_EQ(comparison_page_errors("usual", made_up::comparison()), 0);
  Comparison twice = made_up::comparison();
  twice.scenarios.push_back(twice.scenarios.front());
  EXPECT_NE(comparison_page_errors("twice", twice), 0) << "two sections of one id: the check must see it";
  Comparison open = made_up::comparison();
  for (auto& trial : open.cells[0].trials) trial.state = TrialState::harness_error;
  EXPECT_EQ(comparison_page_errors("open", open), 0);
}

TEST(ComparisonReport, JsonRoundTrip) {
  Comparison all = made_up::comparison();
  all.baseline = "old.json";
  all.changes = {{"get_lock", "quick/pause", "resource", Change::flaky, 1, 3, 1, 2, "chance"}};
  const auto json = to_json(all);
  EXPECT_EQ(to_json(from_json<Comparison>(json)), json);
  EXPECT_EQ(json.at("cells").at(1).at("safety").at(0).at("violated"), 1);
}

TEST(ComparisonReport, JsonOfAnotherVersionOrShapeIsRefused) {
  auto json = to_json(made_up::comparison());
  json["holdfast_compare"] = 1;
  EXPECT_TRUE(
      contains(refusal([&] { from_json<Comparison>(json); }), "holdfast_compare: form 1 was written by an older"));
  json = to_json(made_up::comparison());
  json["cells"][0].erase("service");
  EXPECT_TRUE(contains(refusal([&] { from_json<Comparison>(json); }), "cells[0].service: missing"));
  json = to_json(made_up::comparison());
  json["extra"] = 1;
  EXPECT_NE(refusal([&] { from_json<Comparison>(json); }), "accepted");
}

}  // namespace
}  // namespace holdfast
