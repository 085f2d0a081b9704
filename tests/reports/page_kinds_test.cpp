// Every kind of page that holdfast writes, in a real browser: no findings of axe, whole on paper. Skipped without
// Chromium.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "artifact/json_text.hpp"
#include "reports/comparison_page.hpp"
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

constexpr int kNothingToTryWith = 77;

using Pages = std::map<std::string, std::string>;  // the text of each kind

std::string two_runs() {
  const made_up::Page before = made_up::passing_run();
  const made_up::Page now = made_up::failing_run();
  return two_runs_page(compare_runs({"runs/a", before.run}, {"runs/b", now.run}), "./report.html", "0.1.0");
}

const Pages& kinds() {
  static const Pages all{{"run", made_up::page_of(made_up::failing_run())},
                         {"run_passed", made_up::page_of(made_up::passing_run())},
                         {"try", made_up::page_of(made_up::allowed_run())},
                         {"try_broken", made_up::page_of(made_up::broken_run())},
                         {"interrupted", made_up::page_of(made_up::interrupted_run())},
                         {"explore", made_up::page_of(made_up::explored_run())},
                         {"wide", made_up::page_of(made_up::large_run(26, 40))},
                         {"comparison", comparison_page(made_up::comparison())},
                         {"envelope", envelope_page(made_up::envelopes())},
                         {"history", history_page(made_up::history_input(true))},
                         {"index", runs_page(made_up::runs())},
                         {"trends", runs_page(made_up::runs_with_trends())},
                         {"two_runs", two_runs()}};
  return all;
}

std::vector<std::string> names_of_kinds() {
  std::vector<std::string> out;
  for (const auto& [name, text] : kinds()) out.push_back(name);
  return out;
}

// The exit code of a script of tests/page for these pages; it prints what is wrong.
int tried(const std::string& script, const Pages& pages) {
  std::string command = "python3 -B '" HOLDFAST_SOURCE "/tests/page/" + script + "'";
  for (const auto& [name, text] : pages) {
    const std::string file = test_file("kind_" + name + ".html");
    write_text_file(file, text);
    command += " '" + file + "'";
  }
  return WEXITSTATUS(std::system(command.c_str()));
}

class PageKinds : public testing::TestWithParam<std::string> {};

TEST_P(PageKinds, HaveNoFindingsOfAxe) {
  const int code = tried("axe.py", {{GetParam(), kinds().at(GetParam())}});
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium, or no npm";
  EXPECT_EQ(code, 0);
}

TEST_P(PageKinds, AreWholeOnPaper) {
  const int code = tried("paper.py", {{GetParam(), kinds().at(GetParam())}});
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, PageKinds, testing::ValuesIn(names_of_kinds()),
                         [](const auto& kind) { return kind.param; });

TEST(Axe, FindsBarriers) {
  std::string page = runs_page(made_up::runs());
  page.replace(page.find("<main"), 5, "<p><a href='#top'></a></p><main");
  const int code = tried("axe.py", {{"barrier", page}});
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium, or no npm";
  EXPECT_EQ(code, 1) << "a link without a name was not found";
}

TEST(Paper, FindsWhatIsCut) {
  std::string page = runs_page(made_up::runs());
  page.replace(page.find("<main>"), 6, "<main><pre>" + std::string(400, 'x') + "</pre>");
  page.replace(page.find("<style>"), 7, "<style>pre{white-space:pre!important}");
  const auto policy = page.find("style-src");
  page.replace(policy, page.find("base-uri") - policy, "style-src 'unsafe-inline'; ");
  const int code = tried("paper.py", {{"cut", page}});
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 1) << "a line beyond the sheet was not found";
}

}  // namespace
}  // namespace holdfast
