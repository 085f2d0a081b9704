// The page's section for one cell.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reports/assessment.hpp"
#include "reports/page.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

// The first few are kept, all are counted: both numbers are on the page.
TEST(CellSection, StatesTheNumberOfViolationsBesideWitnesses) {
  made_up::Page in = made_up::failing_run();
  const Finding found = assess(in.run).severest;
  for (auto& cell : in.run.cells) {
    if (&cell != found.cell) continue;
    for (auto& property : cell.trials.front().verdict.properties) {
      if (property.witnesses.empty()) continue;
      property.witnesses.resize(3, property.witnesses.front());
      property.count = 46;
    }
  }
  std::int64_t all = 0;
  for (const auto& property : assess(in.run).severest.trial->verdict.properties) all += property.count;
  ASSERT_GE(all, 46);
  const std::string words = fmt::format(" more witnesses of this trial, which has {} violations</summary>", all);
  EXPECT_NE(made_up::page_of(in).find(words), std::string::npos) << words;
}

// Its code stands as code; what comes from outside stays text; a lock of which nothing is known gets no line.
TEST(CellSection, NamesAReplacementForAViolatedLock) {
  made_up::Page in = made_up::failing_run();
  EXPECT_EQ(made_up::page_of(in).find("Choice: "), std::string::npos);
  const Finding found = assess(in.run).severest;
  in.instead["another"] = "`nothing`";
  in.instead[found.cell->lock] = "`fenced_lease`, with <a resource> that checks";
  const std::string page = made_up::page_of(in);
  const std::string words =
      "<strong>Choice: </strong><code>fenced_lease</code>, with &lt;a resource&gt; that checks</p>";
  const auto first = page.find(words);
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(page.find(words, first + 1), std::string::npos) << "in front and in the cell's section";
  EXPECT_EQ(page.find("<code>nothing"), std::string::npos);
}

// Nine of ten that hold do not make the tenth good.
TEST(CellSection, ShowsTheMostSevereOfAllTrials) {
  made_up::Page in = made_up::passing_run();
  Cell& cell = in.run.cells.front();
  cell.trials.push_back(cell.trials.front());
  PropertyVerdict& second = cell.trials.back().verdict.properties.front();
  ASSERT_EQ(second.judgement, Judgement::holds);
  second.judgement = Judgement::violated;
  second.kind = "algorithm";
  in.run.cells.resize(1);
  const std::string page = made_up::page_of(in);
  const auto at = page.find("holds in 1 of 2, violated: <a class=\"term\" href=\"#word/algorithm\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NE(page.rfind("seen j-violated", at), std::string::npos);
  EXPECT_GT(page.rfind("seen j-violated", at), page.rfind("<tr", at));
}

// Simulated clients have no times, no trials and no timeline; what is said of them must not pretend that.
TEST(CellSection, SearchCellHasNoTrials) {
  made_up::Page in = made_up::passing_run();
  in.run.suite = kExplored;
  in.run.cells.resize(1);
  in.run.cells[0].scenario = kExplored;
  in.run.cells[0].suite.clear();
  in.run.cells[0].why = "7 schedules were run";
  const std::string page = made_up::page_of(in);
  EXPECT_NE(page.find("<strong>Searched: </strong>7 schedules were run"), std::string::npos);
  EXPECT_EQ(page.find("<caption>Trials</caption>"), std::string::npos);
  EXPECT_EQ(page.find("No timeline"), std::string::npos);
  EXPECT_NE(page.find("Rerun this cell"), std::string::npos);
}

}  // namespace
}  // namespace holdfast
