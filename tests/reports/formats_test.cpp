// Every format there is, of every kind of run, looked at with its own tools (tests/formats/look.py). The formats are
// those of the registry: one that is added is tested here, and fails until somebody looks at it.
#include "reports/format.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "artifact/json_text.hpp"
#include "reports/finding.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

// A trial's format: of the trial that a reader would be shown first.
std::string text_in(const FormatType& type, const FormatInput& in) {
  if (type.of_run != nullptr) return type.of_run(in);
  const Finding found = gravest_finding(in.page.run);
  return found.trial == nullptr ? "" : type.of_trial(in, *found.cell, *found.trial);
}

// The exit code of look.py, which says on its output what is wrong.
int looked_at_formats(const std::string& name, PageInput page) {
  const FormatInput in{std::move(page), ""};
  const std::string folder = testing::TempDir() + "holdfast_formats_" + name;
  std::filesystem::create_directories(folder);
  std::string command = "python3 -B '" HOLDFAST_SOURCE "/tests/formats/look.py' '" + folder + "'";
  for (const auto& [format, type] : formats()) {
    write_text_file(folder + "/" + format, text_in(*type, in));
    command += " " + format;
  }
  return std::system(command.c_str());
}

TEST(Formats, EachIsOfARunOrOfATrial) {
  EXPECT_GE(formats().size(), 6U);
  for (const auto& [name, type] : formats()) {
    EXPECT_NE(type->of_run == nullptr, type->of_trial == nullptr) << name;
    EXPECT_STRNE(type->about, "") << name;
  }
}

TEST(Formats, AreSoundForEveryKindOfRun) {
  EXPECT_EQ(looked_at_formats("failing", made_up::failing_run()), 0);
  EXPECT_EQ(looked_at_formats("repeated", made_up::failing_run(3)), 0);
  EXPECT_EQ(looked_at_formats("passing", made_up::passing_run()), 0);
  EXPECT_EQ(looked_at_formats("interrupted", made_up::interrupted_run()), 0);
  EXPECT_EQ(looked_at_formats("empty", {}), 0);
}

TEST(Formats, TellOfCellsThatWereNotRun) {
  PageInput in = made_up::passing_run();
  in.run.cells[0].planned = 5;
  in.run.cells[0].outcome = Outcome::not_run;
  in.run.cells[1].trials.clear();
  in.run.cells[1].planned = 1;
  in.run.cells[1].outcome = Outcome::not_run;
  in.run.stopped = "the time budget of 10m was over";
  in.run.exit_code = 3;
  EXPECT_EQ(looked_at_formats("not_run", in), 0);
}

TEST(Formats, ShowNoSuccessWhereNothingCouldRun) {
  PageInput in = made_up::passing_run();
  for (auto& cell : in.run.cells) cell.outcome = cell.trials[0].outcome = Outcome::unavailable;
  in.run.exit_code = 4;
  EXPECT_EQ(looked_at_formats("unavailable", in), 0);
}

TEST(Formats, AreNotFooledByNames) {
  const std::string long_name(10'240, 'x');
  const std::vector<std::string> hostile{
      "<script>alert(1)</script>",
      "</script><img src=x onerror=alert(1)>",
      "]]><![CDATA[ --> <!-- ?>",
      "\"quotes\" 'of' `all` ``kinds` & &lt; &#60;",
      "two\nlines\r\n# and a heading\n\n| a | table |\n|---|---|\n",
      "a|b||c \\| \\",
      "*bold* _it_ ~~gone~~ [link](javascript:alert(1)) ![i](http://x.example/i.png) http://x.example www.x.example",
      "@everyone #1 &amp; <!-- open",
      "::error title=x::y",
      "a ##[error]b\n::stop-commands::x\n  ::set-output name=a::b",
      "\x1b[2J\x1b]0;title\x07 \xff\xfe \xc0\xaf \xed\xa0\x80 \xe2\x80\xae \xc2\x9b \xe2\x80\xa8",
      std::string("nul \0 inside", 12),
      "%0A%25 $(reboot) `reboot` ; reboot",
      "\xef\xbf\xbe\xef\xbf\xbf\xf0\x9f\x94\x92",
      long_name,
      "`" + long_name + "`\n" + long_name,
      ""};
  int number = 0;
  for (const auto& text : hostile) {
    EXPECT_EQ(looked_at_formats("hostile" + std::to_string(++number), made_up::hostile_run(text)), 0) << text;
  }
}

}  // namespace
}  // namespace holdfast
