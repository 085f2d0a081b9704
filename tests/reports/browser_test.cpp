// The page in a real browser, on the failing path first. Skipped without Chromium.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "artifact/json_text.hpp"
#include "reports/comparison_page.hpp"
#include "reports/curve_page.hpp"
#include "reports/envelope_page.hpp"
#include "reports/history_page.hpp"
#include "reports/page.hpp"
#include "reports/runs_page.hpp"
#include "reports/two_runs.hpp"
#include "tests/reports/made_up_comparison.hpp"
#include "tests/reports/made_up_history.hpp"
#include "tests/reports/made_up_pages.hpp"
#include "tests/reports/made_up_run.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr int kNoBrowser = 77;

// The exit code of tests/page/browser.py, which says on its output what is wrong.
int looked_at(const std::string& name, const std::string& page, const std::string& violation) {
  const std::string stem = test_file("browser_" + name);
  write_text_file(stem + ".html", page);
  const std::string script = "python3 '" HOLDFAST_SOURCE "/tests/page/browser.py'";
  const std::string command = script + " '" + stem + ".html' '" + stem + "' --violation " + violation;
  return WEXITSTATUS(std::system(command.c_str()));
}

TEST(Browser, ShowsTheViolationOfAFailingRun) {
  const int code = looked_at("failing", made_up::page_of(made_up::failing_run()), "yes");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, ShowsNoViolationOfAPassingRun) {
  const int code = looked_at("passing", made_up::page_of(made_up::passing_run()), "no");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

// A comparison's lanes are low: a violation is a line above one, and a word in the table.
TEST(Browser, ShowsTheViolationsOfAComparison) {
  Comparison all = made_up::comparison();
  const int violated = looked_at("comparison", comparison_page(all), "yes --red 500");
  if (violated == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(violated, 0);
  all.cells.pop_back();
  EXPECT_EQ(looked_at("comparison_holds", comparison_page(all), "no --red 500"), 0);
}

// The bars of envelopes are red where a lock broke.
TEST(Browser, ShowsWhereEachLockBreaks) {
  EnvelopeRun run = made_up::envelopes();
  const int broken = looked_at("envelope", envelope_page(run), "yes --red 500");
  if (broken == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(broken, 0);
  run.envelopes = {run.envelopes[1]};
  EXPECT_EQ(looked_at("envelope_holds", envelope_page(run), "no --red 500"), 0);
}

// Points are red where the lock broke, and hatched where nothing is known.
TEST(Browser, ShowsWhenALockBreaks) {
  CurveRun run = made_up::curve();
  const int broken = looked_at("curve", curve_page(run), "yes --red 300");
  if (broken == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(broken, 0);
  std::erase_if(run.points, [](const CurvePoint& point) { return point.violated > 0; });
  EXPECT_EQ(looked_at("curve_holds", curve_page(run), "no --red 300"), 0);
}

TEST(Browser, ShowsAForeignHistoryAndAnIndexOfRuns) {
  const int shown = looked_at("history", history_page(made_up::history_input(true)), "yes");
  if (shown == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(shown, 0);
  EXPECT_EQ(looked_at("history_holds", history_page(made_up::history_input(false)), "no"), 0);
  EXPECT_EQ(looked_at("runs", runs_page(made_up::runs()), "no"), 0);
  EXPECT_EQ(looked_at("runs_trends", runs_page(made_up::runs_with_trends()), "yes --red 500"), 0);
}

TEST(Browser, ShowsTheChangesBetweenTwoRuns) {
  const made_up::Page before = made_up::passing_run();
  const made_up::Page now = made_up::failing_run();
  const auto page = [](const RunVerdict& a, const RunVerdict& b) {
    return two_runs_page(compare_runs({"runs/a", a}, {"runs/b", b}), "./report.html", "0.1.0");
  };
  const int shown = looked_at("two_runs", page(before.run, now.run), "yes --red 500");
  if (shown == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(shown, 0);
  EXPECT_EQ(looked_at("two_runs_same", page(now.run, now.run), "no"), 0);
}

// Used as a reader uses it: tests/page/moves.py.
int moved_in(const std::string& name, const made_up::Page& in, const std::string& more) {
  const std::string stem = test_file("moves_" + name);
  write_text_file(stem + ".html", made_up::page_of(in));
  const std::string script = "python3 '" HOLDFAST_SOURCE "/tests/page/moves.py'";
  return WEXITSTATUS(std::system((script + " '" + stem + ".html' '" + stem + "' " + more).c_str()));
}

// Events for the cells that a reader opens first.
void give_events(made_up::Page& in, std::size_t events, bool violated) {
  const std::string lock = "nowait_lease";
  const std::string scenario = violated ? "skew" : "none";
  const auto told = made_up::story(lock, scenario, events, 8, violated);
  const std::string folder = (violated ? lock : "insert_lease") + "/" + scenario + "/1";
  in.trials.at(folder) = told.verdict;
  in.packed[folder] = made_up::packed(told);
  for (auto& cell : in.run.cells) {
    for (auto& trial : cell.trials) {
      if (trial.folder == folder) trial.verdict.properties = told.verdict.properties;
    }
  }
}

TEST(Browser, InteractsOnAFailingRun) {
  made_up::Page in = made_up::failing_run();
  give_events(in, 2'000, true);
  const int code = moved_in("failing", in, "--violation yes");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, InteractsOnAPassingRun) {
  made_up::Page in = made_up::passing_run();
  give_events(in, 2'000, false);
  const int code = moved_in("passing", in, "--violation no");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, WorksWithHostileTexts) {
  made_up::Page in = made_up::hostile_run();
  auto told = made_up::story("a", "b", 2'000, 8, true);
  const std::string name = std::string(made_up::kHostile) + std::string(10'000, '<');
  told.names.keys = {name};
  for (auto& event : told.events) {
    for (auto& statement : event.statements) statement.name = "acquire" + name;
  }
  for (auto& span : told.verdict.timeline.spans) span.key = name;
  for (auto& fault : told.verdict.timeline.faults) fault.fault = fault.detail = name;
  for (auto& property : told.verdict.properties) {
    for (auto& witness : property.witnesses) witness.key = witness.kind = witness.text = name;
  }
  for (auto& [folder, verdict] : in.trials) {
    verdict = told.verdict;
    in.packed[folder] = made_up::packed(told);
  }
  const int code = moved_in("hostile", in, "--violation yes");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

// It prints the time of drawing; bench/README.md has the figures, and a busy machine is no place for a limit.
TEST(Browser, InteractsWithAHundredThousandEvents) {
  made_up::Page in = made_up::failing_run();
  give_events(in, 100'000, true);
  const int code = moved_in("large", in, "--violation yes --measure");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

// Steps of a schedule, and cells of a large run that are packed until they are opened: tests/page/walks.py.
int walked_in(const std::string& name, const made_up::Page& in, const std::string& kind) {
  const std::string stem = test_file("walks_" + name);
  write_text_file(stem + ".html", made_up::page_of(in));
  const std::string script = "python3 '" HOLDFAST_SOURCE "/tests/page/walks.py' ";
  return WEXITSTATUS(std::system((script + kind + " '" + stem + ".html' '" + stem + "'").c_str()));
}

TEST(Browser, WalksThroughTheStepsOfASearch) {
  const int code = walked_in("search", made_up::explored_run(), "steps");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, WalksThroughTheStepsOfAStory) {
  const int code = walked_in("story", made_up::failing_run(), "story");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, OpensTheCellsOfALargeRun) {
  const int code = walked_in("large", made_up::large_run(), "large");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, ScrollsThroughFortyColumns) {
  const int code = walked_in("wide", made_up::large_run(26, 40), "wide");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, BlocksInjectedScripts) {
  std::string page = made_up::page_of(made_up::passing_run());
  page.replace(page.find("</main>"), 7, "<script>document.title='ran'</script></main>");
  const int code = looked_at("script", page, "no");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 1) << "the page's policy did not stop the script, or the check did not hear of it";
}

}  // namespace
}  // namespace holdfast
