// Every kind of page that holdfast writes, in a real browser: no findings of axe, whole on paper. Skipped without
// Chromium.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <map>
#include <ostream>
#include <string>
#include <vector>

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

constexpr int kNothingToTryWith = 77;

using Pages = std::map<std::string, std::string>;  // the text of each kind

std::string two_runs() {
  const made_up::Page before = made_up::passing_run();
  const made_up::Page now = made_up::failing_run();
  return two_runs_page(compare_runs({"runs/a", before.run}, {"runs/b", now.run}), "./report.html", "0.1.0");
}

// The page of each kind, made only where it is tried: names are listed at each start of this program.
struct Kind {
  const char* name;
  std::string (*text)();
  friend void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }
};

const std::vector<Kind> kKinds{{"run", [] { return made_up::page_of(made_up::failing_run()); }},
                               {"run_passed", [] { return made_up::page_of(made_up::passing_run()); }},
                               {"try", [] { return made_up::page_of(made_up::allowed_run()); }},
                               {"try_broken", [] { return made_up::page_of(made_up::broken_run()); }},
                               {"interrupted", [] { return made_up::page_of(made_up::interrupted_run()); }},
                               {"explore", [] { return made_up::page_of(made_up::explored_run()); }},
                               {"wide", [] { return made_up::page_of(made_up::large_run(26, 40)); }},
                               {"comparison", [] { return comparison_page(made_up::comparison()); }},
                               {"envelope", [] { return envelope_page(made_up::envelopes()); }},
                               {"curve", [] { return curve_page(made_up::curve()); }},
                               {"history", [] { return history_page(made_up::history_input(true)); }},
                               {"index", [] { return runs_page(made_up::runs()); }},
                               {"trends", [] { return runs_page(made_up::runs_with_trends()); }},
                               {"two_runs", two_runs}};

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

class PageKinds : public testing::TestWithParam<Kind> {
 protected:
  static Pages page() { return {{GetParam().name, GetParam().text()}}; }
};

TEST_P(PageKinds, HaveNoFindingsOfAxe) {
  const int code = tried("axe.py", page());
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium, or no npm";
  EXPECT_EQ(code, 0);
}

TEST_P(PageKinds, AreWholeOnPaper) {
  const int code = tried("paper.py", page());
  if (code == kNothingToTryWith) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

INSTANTIATE_TEST_SUITE_P(Each, PageKinds, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

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
