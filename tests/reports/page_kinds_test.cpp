// Every kind of page that holdfast writes, in a real browser: no findings of axe, whole on paper. Skipped without
// Chromium.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <utility>
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

using Pages = std::vector<std::pair<std::string, std::string>>;  // name and text

Pages pages_of_runs() {
  return {{"run", made_up::page_of(made_up::failing_run())},
          {"run_passed", made_up::page_of(made_up::passing_run())},
          {"try", made_up::page_of(made_up::allowed_run())},
          {"try_broken", made_up::page_of(made_up::broken_run())},
          {"interrupted", made_up::page_of(made_up::interrupted_run())},
          {"explore", made_up::page_of(made_up::explored_run())},
          {"large", made_up::page_of(made_up::large_run())}};
}

Pages other_pages() {
  const made_up::Page before = made_up::passing_run();
  const made_up::Page now = made_up::failing_run();
  const auto changes = compare_runs({"runs/a", before.run}, {"runs/b", now.run});
  return {{"comparison", comparison_page(made_up::comparison())},
          {"envelope", envelope_page(made_up::envelopes())},
          {"history", history_page(made_up::history_input(true))},
          {"index", runs_page(made_up::runs())},
          {"trends", runs_page(made_up::runs_with_trends())},
          {"two_runs", two_runs_page(changes, "./report.html", "0.1.0")}};
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

TEST(PageKinds, RunsHaveNoFindingsOfAxe) {
  const int code = tried("axe.py", pages_of_runs());
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium, or no npm";
  EXPECT_EQ(code, 0);
}

TEST(PageKinds, OtherPagesHaveNoFindingsOfAxe) {
  const int code = tried("axe.py", other_pages());
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium, or no npm";
  EXPECT_EQ(code, 0);
}

TEST(PageKinds, PaperHasWholePages) {
  Pages pages = pages_of_runs();
  for (auto& one : other_pages()) pages.push_back(std::move(one));
  pages.emplace_back("wide", made_up::page_of(made_up::large_run(26, 40)));
  const int code = tried("paper.py", pages);
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(PageKinds, AxeFindsBarriers) {
  std::string page = runs_page(made_up::runs());
  page.replace(page.find("<main"), 5, "<p><a href='#top'></a></p><main");
  const int code = tried("axe.py", {{"barrier", page}});
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium, or no npm";
  EXPECT_EQ(code, 1) << "a link without a name was not found";
}

}  // namespace
}  // namespace holdfast
