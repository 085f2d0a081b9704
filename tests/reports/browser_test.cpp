// The page in a real browser, on the failing path first. Skipped where there is no Chromium.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "artifact/json_text.hpp"
#include "reports/page.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

constexpr int kNoBrowser = 77;

// The exit code of tests/page/browser.py, which says on its output what is wrong.
int looked_at(const std::string& name, const std::string& page, const std::string& violation) {
  const std::string stem = testing::TempDir() + "holdfast_browser_" + name;
  write_text_file(stem + ".html", page);
  const std::string script = "python3 '" HOLDFAST_SOURCE "/tests/page/browser.py'";
  const std::string command = script + " '" + stem + ".html' '" + stem + "' --violation " + violation;
  return WEXITSTATUS(std::system(command.c_str()));
}

TEST(Browser, ShowsTheViolationOfAFailingRun) {
  const int code = looked_at("failing", html_page(made_up::failing_run()), "yes");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, ShowsNoViolationOfAPassingRun) {
  const int code = looked_at("passing", html_page(made_up::passing_run()), "no");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 0);
}

TEST(Browser, RefusesToRunWhatAPageShouldNotHold) {
  std::string page = html_page(made_up::passing_run());
  page.replace(page.find("</main>"), 7, "<script>document.title='ran'</script></main>");
  const int code = looked_at("script", page, "no");
  if (code == kNoBrowser) GTEST_SKIP() << "no Chromium";
  EXPECT_EQ(code, 1) << "the page's policy did not stop the script, or the check did not hear of it";
}

}  // namespace
}  // namespace holdfast
