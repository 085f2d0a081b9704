// The pages beside that of a run: of one history, of envelopes, of all runs in a folder; and what a comparison comes
// to.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "artifact/json_text.hpp"
#include "artifact/property_words.hpp"
#include "artifact/visible.hpp"
#include "reports/canvas.hpp"
#include "reports/comparison_page.hpp"
#include "reports/comparison_text.hpp"
#include "reports/conclusions.hpp"
#include "reports/curve_page.hpp"
#include "reports/curve_text.hpp"
#include "reports/envelope_page.hpp"
#include "reports/glossary.hpp"
#include "reports/history_page.hpp"
#include "reports/runs_page.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_comparison.hpp"
#include "tests/reports/made_up_history.hpp"
#include "tests/reports/made_up_pages.hpp"
#include "tests/reports/made_up_run.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

int errors_of(const std::string& name, const std::string& page) {
  const std::string path = test_file("more_pages_" + name + ".html");
  write_text_file(path, page);
  return std::system(("python3 '" HOLDFAST_SOURCE "/tests/page/structure.py' '" + path + "'").c_str());
}

TEST(HistoryPage, ShowsTheViolationOfAForeignHistory) {
  const std::string page = history_page(made_up::history_input(true));
  EXPECT_EQ(errors_of("history", page), 0);
  EXPECT_TRUE(has(page, "✗ VIOLATED")) << page.substr(0, 900);
  EXPECT_TRUE(has(page, "both held"));
  EXPECT_FALSE(has(page, " under : "));
  EXPECT_TRUE(has(page, "Not judged: tokens"));
  EXPECT_TRUE(has(page, "class=\"timeline wide\""));
}

TEST(HistoryPage, HoldingHistoryHasNoViolationMark) {
  const std::string page = history_page(made_up::history_input(false));
  EXPECT_EQ(errors_of("history_holds", page), 0);
  EXPECT_TRUE(has(page, "✓ HOLDS"));
  EXPECT_FALSE(has(page, "class=\"violation-mark\""));
}

TEST(HistoryPage, UnjudgedIsNotPass) {
  HistoryPageInput in = made_up::history_input(false);
  for (auto& property : in.verdict.properties) property.judgement = Judgement::not_exercised;
  in.verdict.judgement = Judgement::not_exercised;
  EXPECT_EQ(word_of_history(in.verdict), "NOTHING JUDGED");
  EXPECT_TRUE(has(history_page(in), "verdict open"));
}

TEST(EnvelopePage, HasABarForEachLock) {
  const EnvelopeRun run = made_up::envelopes();
  const std::string page = envelope_page(run);
  EXPECT_EQ(errors_of("envelope", page), 0);
  EXPECT_TRUE(has(page, "safe up to 1,800 ms, broken from 1,850 ms"));
  EXPECT_TRUE(has(page, "safe up to 6,000 ms, the largest tried"));
  EXPECT_TRUE(has(page, "broken even without a fault"));
  EXPECT_TRUE(has(envelope_svg(run).text(), "envelope-broken"));
}

// A mark at an end of a bar would be half beside it.
TEST(EnvelopePage, MarksStandWithinTheirBars) {
  EnvelopeRun run = made_up::envelopes();
  run.envelopes = {run.envelopes[1]};  // tried with no fault and with the largest amount
  const std::string svg = envelope_svg(run).text();
  const std::regex mark("class=\"envelope-point\" text-anchor=\"middle\" x=\"([0-9.]+)\"");
  std::vector<double> at;
  for (std::sregex_iterator one(svg.begin(), svg.end(), mark), end; one != end; ++one)
    at.push_back(std::stod((*one)[1]));
  ASSERT_EQ(at.size(), 2U) << svg;
  EXPECT_GE(at[0], Canvas::kLeft + 6);
  EXPECT_LE(at[1], Canvas::kRight - 6);
}

TEST(EnvelopePage, ShowsTheLargestAmountInBothDirections) {
  EnvelopeRun run = made_up::envelopes();
  Envelope backward = run.envelopes[1];
  backward.direction = -1;
  backward.most = -backward.most;
  backward.bracket.holds_at = -*backward.bracket.holds_at;
  for (auto& point : backward.points) point.amount = -point.amount;
  run.envelopes = {backward};
  EXPECT_TRUE(has(envelope_page(run), "safe up to -6,000 ms, the largest tried"));
  run.envelopes[0].most = -9000;  // the search ended before it
  EXPECT_TRUE(has(envelope_page(run), "safe up to -6,000 ms, violated nowhere"));
}

TEST(EnvelopePage, DrawsUnjudgedAmountsAsUnknown) {
  EnvelopeRun run = made_up::envelopes();
  run.envelopes = {run.envelopes[1]};
  run.envelopes[0].bracket = {};
  const std::string svg = envelope_svg(run).text();
  EXPECT_FALSE(has(svg, "envelope-safe")) << svg;
  EXPECT_FALSE(has(svg, "envelope-broken")) << svg;
  EXPECT_TRUE(has(svg, "envelope-open"));
  EXPECT_TRUE(has(svg, "safe at none of the amounts tried"));
}

TEST(CurvePage, ShowsWhereTheLockBreaks) {
  const CurveRun run = made_up::curve();
  const std::string page = curve_page(run);
  EXPECT_EQ(errors_of("curve", page), 0);
  EXPECT_TRUE(has(page, "my_lock broke at 2 of 9 measured points"));
  EXPECT_TRUE(has(page, "Without the fault it broke too: jobs of 105 % of the lease (20 of 20)."));
  EXPECT_TRUE(has(page, "holdfast replay runs/20260131T120000Z-abcdef my_lock/hold_90 % --trial 1"));
  EXPECT_TRUE(has(page, "two holders at once, the data is safe: 10"));
  const std::string svg = curve_svg(run).text();
  EXPECT_TRUE(has(svg, "curve-broken"));
  EXPECT_TRUE(has(svg, "lease ends"));
}

// A dot at 0 % would be a claim.
TEST(CurvePage, DrawsUnmeasuredPointsAsUnknown) {
  CurveRun run = made_up::curve();
  run.points = {run.points[2]};
  const std::string svg = curve_svg(run).text();
  EXPECT_TRUE(has(svg, "curve-open"));
  EXPECT_FALSE(has(svg, "<circle")) << svg;
  EXPECT_TRUE(has(curve_page(run), "No point was measured."));
  EXPECT_FALSE(has(curve_text(run).text(), "0 of 0"));
  EXPECT_TRUE(has(curve_text(run).text(), "not measured"));
}

TEST(CurveText, IsATableWithinEightyColumns) {
  const std::string text = curve_text(made_up::curve()).text();
  EXPECT_TRUE(has(text, "17 of 20")) << text;
  std::istringstream lines(text);
  bool within = false;
  int rows = 0;
  for (std::string line; std::getline(lines, line);) {
    within = line.empty() ? false : within || has(line, "moment");
    if (within) {
      EXPECT_LE(columns(line), 80U) << line;
    }
    rows += within ? 1 : 0;
  }
  EXPECT_EQ(rows, 13) << text;
}

TEST(CurveText, CleanPointsStillHaveAnUpperBound) {
  CurveRun run = made_up::curve();
  std::erase_if(run.points, [](const CurvePoint& point) { return point.violated > 0; });
  EXPECT_TRUE(has(curve_text(run).text(), "broke at none of 7 measured points; at each, a share of up to 17 % is"));
}

TEST(RunsPage, ListsEachRunTheNewestFirst) {
  const std::string page = runs_page(made_up::runs());
  EXPECT_EQ(errors_of("runs", page), 0);
  EXPECT_LT(page.find("20260202T120000Z-b"), page.find("20260101T120000Z-a"));
  EXPECT_TRUE(has(page, "href=\"./20260101T120000Z-a/report.html\""));
  EXPECT_TRUE(has(page, "did not finish"));
  EXPECT_TRUE(has(page, "3 runs, 1 passed, 1 not as expected, 1 open"));
  EXPECT_TRUE(has(runs_page({}), "There is no run in this folder."));
}

TEST(RunsPage, HostileNamesStayText) {
  RunsPageInput in = made_up::runs();
  for (auto& run : in.runs) {
    run.folder = "../" + std::string(made_up::kHostile);
    run.claim = run.what = run.circumstances = run.word = made_up::kHostile;
  }
  const std::string page = runs_page(in);
  EXPECT_EQ(errors_of("runs_hostile", page), 0);
  EXPECT_FALSE(has(page, "<img"));
  EXPECT_FALSE(has(page, "href=\"./../"));
}

TEST(Conclusions, NameBrokenVariantsAndCosts) {
  Comparison all = made_up::comparison();
  const auto lines = conclusions(all);
  ASSERT_GE(lines.size(), 3U);
  EXPECT_EQ(lines[0], "get_lock: nothing broke.");
  EXPECT_EQ(lines[1],
            "insert_lease lease_ms=500: data damaged under quick/pause, which breaks no promise of the lock.");
  EXPECT_TRUE(has(lines[2], "get_lock 1,000 ms")) << lines[2];
  EXPECT_EQ(
      lines.back(),
      "To choose: nothing broke get_lock. Only these scenarios were tried; others may break it (docs/choosing.md).");
  EXPECT_TRUE(has(comparison_page(all), "Conclusion"));
}

TEST(Conclusions, FirstLineCountsBrokenPromisesApart) {
  Comparison all = made_up::comparison();
  EXPECT_EQ(broken_words(all), "1 only with violations that break no promise");
  EXPECT_TRUE(has(comparison_sentence(all), ": 1 only with violations that break no promise"))
      << comparison_sentence(all);
  for (auto& property : all.cells[1].safety) {
    if (property.violated > 0) property.kinds = {{"algorithm", 1}};
  }
  EXPECT_EQ(broken_words(all), "1 broke a promise");
  for (auto& property : all.cells[1].safety) property.kinds.clear();
  EXPECT_EQ(broken_words(all), "1 broke a promise") << "of an unknown kind";
  for (auto& cell : all.cells) cell.safety.clear();
  EXPECT_EQ(broken_words(all), "") << "nothing was judged";
}

TEST(Conclusions, UnjudgedScenariosAreNamed) {
  Comparison all = made_up::comparison();
  all.scenarios.push_back("quick/kill");
  EXPECT_EQ(conclusions(all)[0], "get_lock: nothing broke; unknown under quick/kill.");
  for (auto& cell : all.cells) {
    cell.safety.clear();
    cell.service = {};
  }
  EXPECT_EQ(conclusions(all)[0], "get_lock: nothing was judged.");
}

TEST(Conclusions, AdviceIsGivenForWhatNothingBroke) {
  Comparison all = made_up::comparison();
  for (auto& variant : all.variants) variant.advice = "Use it for `" + variant.lock + "`.";
  EXPECT_EQ(conclusions(all).back(), "When to use get_lock, and alternatives: Use it for get_lock.");
  all.scenarios.push_back("quick/kill");
  EXPECT_FALSE(has(conclusions(all).back(), "When to use")) << "it cannot be chosen yet";
}

TEST(Conclusions, ScenarioWithoutContentionIsUnknown) {
  Comparison all = made_up::comparison();
  SafetyCount holders = all.cells[0].safety[0];
  holders.property = "mutual_exclusion";
  holders.judged = 0;
  holders.not_exercised = 3;
  all.cells[0].safety.push_back(holders);
  EXPECT_EQ(conclusions(all)[0], "get_lock: nothing was judged.") << "only its writes were";
  EXPECT_FALSE(has(conclusions(all).back(), "nothing broke get_lock"));
  all.cells[0].safety.back().judged = 1;
  EXPECT_EQ(conclusions(all)[0], "get_lock: nothing broke.");
}

TEST(Conclusions, RefusedStaleWriteIsNotDamage) {
  Comparison all = made_up::comparison();
  ComparedCell& cell = all.cells[1];
  SafetyCount believed = cell.safety[0];
  believed.property = "mutual_exclusion";
  cell.safety[0].violated = 0;
  cell.safety.push_back(believed);
  cell.service.fencing_rejections = 3;
  EXPECT_EQ(conclusions(all)[1],
            "insert_lease lease_ms=500: two holders at once under quick/pause, which breaks no promise "
            "of the lock; the data is safe (stale writes refused: 3).");
}

TEST(Glossary, ExplainsEveryPropertyAndKind) {
  for (const auto& [name, words] : property_words()) {
    EXPECT_FALSE(meaning_of_word(name).empty()) << name;
    for (const auto& kind : words->kinds) EXPECT_FALSE(meaning_of_word(kind.name).empty()) << kind.name;
  }
  for (const auto& cause : cause_words()) EXPECT_FALSE(meaning_of_word(cause.name).empty()) << cause.name;
  EXPECT_TRUE(meaning_of_word("unheard_of").empty());
}

TEST(Glossary, PageWordsLinkToIt) {
  const std::string page = made_up::page_of(made_up::failing_run());
  EXPECT_TRUE(has(page, "href=\"#word/mutual_exclusion\""));
  EXPECT_TRUE(has(page, "href=\"#word/overrun\""));
  EXPECT_TRUE(has(page, "id=\"word/overrun\""));
}

TEST(EnvelopeReport, TextPageAndJsonIncludeLockNotes) {
  EnvelopeRun run = made_up::envelopes();
  EXPECT_FALSE(to_json(run).contains("notes"));
  const std::string note = "fenced_lease: its server is a stand-in";
  run.notes = {note};
  EXPECT_EQ(to_json(run).at("notes"), nlohmann::json::array({note}));
  EXPECT_NE(envelope_text(run).text().find(note), std::string::npos);
  EXPECT_NE(envelope_page(run).find(note), std::string::npos);
}

}  // namespace
}  // namespace holdfast
