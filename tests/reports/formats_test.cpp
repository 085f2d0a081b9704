// Every format, for every kind of run, checked with its own tools (tests/formats/look.py). The formats are those of the
// registry: a new one is tested here, and fails until it has a check.
#include "reports/format.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/json_text.hpp"
#include "reports/matrix.hpp"
#include "reports/review_results.hpp"
#include "tests/reports/made_up_run.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

// A trial's format: of the trial that a reader would be shown first.
std::string text_in(const FormatType& type, const FormatInput& in) {
  if (type.of_run != nullptr) return type.of_run(in);
  const Finding& found = in.page.found.severest;
  return found.trial == nullptr ? "" : type.of_trial(in, *found.cell, *found.trial);
}

// Runs that look.py looks at, all at once, since starting it takes longer than looking.
class Looks {
 public:
  void add(const std::string& name, const made_up::Page& page) {
    const RunAssessment found = assess(page.run);
    const FormatInput in = made_up::format_input(page, found);
    const std::string folder = test_file("formats_" + name);
    std::filesystem::create_directories(folder);
    for (const auto& [format, type] : formats()) write_text_file(folder + "/" + format, text_in(*type, in));
    folders_ += " '" + folder + "'";
  }
  // The exit code of look.py, which says on its output what is wrong.
  int found() const {
    std::string command = "python3 -B '" HOLDFAST_SOURCE "/tests/formats/look.py'" + folders_ + " --";
    for (const auto& name : entry_names(formats())) command += " " + name;
    return std::system(command.c_str());
  }

 private:
  std::string folders_;
};

made_up::Page stopped_run() {
  made_up::Page in = made_up::passing_run();
  in.run.cells[0].planned = 5;
  in.run.cells[0].outcome = Outcome::not_run;
  in.run.cells[1].trials.clear();
  in.run.cells[1].planned = 1;
  in.run.cells[1].outcome = Outcome::not_run;
  in.run.stopped = "the time budget of 10m was over";
  in.run.exit_code = 3;
  return in;
}

// Skipped cases alone would look like a success.
made_up::Page unavailable_run() {
  made_up::Page in = made_up::passing_run();
  for (auto& cell : in.run.cells) cell.outcome = cell.trials[0].outcome = Outcome::unavailable;
  in.run.exit_code = 4;
  return in;
}

TEST(Formats, EachCoversARunOrATrial) {
  EXPECT_GE(formats().size(), 6U);
  for (const auto& [name, type] : formats()) {
    EXPECT_NE(type->of_run == nullptr, type->of_trial == nullptr) << name;
    EXPECT_STRNE(type->about, "") << name;
  }
}

TEST(Formats, RunFormatsIncludeLockNotes) {
  made_up::Page in = made_up::passing_run();
  in.run.notes = {"my_lock: its server is a stand-in"};
  in.run = from_json<RunVerdict>(to_json(in.run));
  const RunAssessment found = assess(in.run);
  const FormatInput input = made_up::format_input(in, found);
  int told = 0;
  for (const auto& [name, type] : formats()) {
    if (type->of_run != nullptr) told += text_in(*type, input).find(in.run.notes[0]) != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(told, 4) << "the page, the summary, JUnit's file and JSON; the others are of cells";
  EXPECT_NE(matrix_text(assess(in.run), false).text().find(in.run.notes[0]), std::string::npos);
}

TEST(Formats, ASummaryTellsHowToKeepAKnownFlaw) {
  const auto tells = [](const made_up::Page& in) {
    const RunAssessment found = assess(in.run);
    const std::string text = text_in(*find_entry(formats(), "markdown"), made_up::format_input(in, found));
    return text.find("--write-baseline") != std::string::npos;
  };
  made_up::Page failing = made_up::failing_run();
  EXPECT_TRUE(tells(failing));
  failing.run.baseline = "locks.json";
  EXPECT_FALSE(tells(failing)) << "it has one";
  failing.run.baseline.clear();
  failing.run.command = "holdfast try my_lock";
  EXPECT_FALSE(tells(failing)) << "its command takes none";
  EXPECT_FALSE(tells(made_up::passing_run()));
}

TEST(Formats, AreWellFormedForEveryKindOfRun) {
  Looks looks;
  looks.add("failing", made_up::failing_run());
  looks.add("repeated", made_up::failing_run(3));
  looks.add("passing", made_up::passing_run());
  looks.add("allowed", made_up::allowed_run());
  looks.add("interrupted", made_up::interrupted_run());
  looks.add("empty", {});
  looks.add("not_run", stopped_run());
  looks.add("unavailable", unavailable_run());
  EXPECT_EQ(looks.found(), 0);
}

TEST(Formats, HostileNamesAreEscaped) {
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
      "##[add-mask]a",
      "javascript:alert(1)",
      "--server=mysqld=/tmp/evil.sh",
      "$\\color{red}{x}$ and $$y$$",
      "trailing \\",
      "\x1b[2J\x1b]0;title\x07 \xff\xfe \xc0\xaf \xed\xa0\x80 \xe2\x80\xae \xc2\x9b \xe2\x80\xa8",
      std::string("nul \0 inside", 12),
      "%0A%25 50 % $(reboot) `reboot` ; reboot",
      "\xef\xbf\xbe\xef\xbf\xbf\xf0\x9f\x94\x92",
      long_name,
      "`" + long_name + "`\n" + long_name,
      ""};
  Looks looks;
  int number = 0;
  for (const auto& text : hostile) {
    const std::string name = "hostile" + std::to_string(++number);
    looks.add(name, made_up::hostile_run(text));
    looks.add(name + "_error", made_up::hostile_error(text, Outcome::harness_error));
    looks.add(name + "_unavailable", made_up::hostile_error(text, Outcome::unavailable));
    looks.add(name + "_not_run", made_up::hostile_error(text, Outcome::not_run));
    looks.add(name + "_search", made_up::hostile_search(text));
  }
  EXPECT_EQ(looks.found(), 0);
}

// On a pull request red is for what is new.
TEST(Annotations, KnownViolationsAreNotices) {
  Cell cell;
  cell.lock = "my_lock";
  cell.scenario = "pause";
  cell.outcome = Outcome::unexpected;
  RunVerdict run;
  run.cells = {cell};
  EXPECT_TRUE(annotations(assess(run)).text().starts_with("::error")) << annotations(assess(run)).text();
  RunChange known;
  known.lock = "my_lock";
  known.scenario = "pause";
  known.property = "ownership";
  known.change = Change::still;
  known.bad = 1;
  run.baseline = "kept.json";
  run.changes = {known};
  EXPECT_TRUE(annotations(assess(run)).text().starts_with("::notice")) << annotations(assess(run)).text();
  run.changes[0].change = Change::fresh;
  EXPECT_TRUE(annotations(assess(run)).text().starts_with("::error"));
  run.changes[0].change = Change::unknown;
  EXPECT_TRUE(annotations(assess(run)).text().starts_with("::error"));
}

made_up::Page one_wrong_cell() {
  made_up::Page in = made_up::passing_run();
  in.run.cells[0].lock = "my_lock+found_rows";
  in.run.cells[0].outcome = in.run.cells[0].trials[0].outcome = Outcome::harness_error;
  in.run.exit_code = 5;
  return in;
}

// Formats that are shown beside a change point at the lock's own file, whatever variant of it ran.
TEST(Formats, ResultsOfOwnLocksNameTheirFileAndLine) {
  const made_up::Page page = one_wrong_cell();
  const RunAssessment found = assess(page.run);
  FormatInput in = made_up::format_input(page, found);
  in.sources = {{"my_lock", {"locks/my lock.sql", 7}}};
  const auto text = [&in](const char* name) { return text_in(*find_entry(formats(), name), in); };
  EXPECT_TRUE(text("annotations").starts_with("::error file=locks/my lock.sql,line=7,title=")) << text("annotations");
  const auto issue = nlohmann::json::parse(text("code_quality")).at(0);
  EXPECT_EQ(issue["location"]["path"], "locks/my lock.sql");
  EXPECT_EQ(issue["location"]["lines"]["begin"], 7);
  EXPECT_EQ(issue["check_name"], "harness_error");
  const auto result = nlohmann::json::parse(text("sarif"))["runs"][0]["results"][0];
  const auto place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "locks/my%20lock.sql");
  EXPECT_EQ(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
  EXPECT_EQ(place["region"]["startLine"], 7);
  EXPECT_EQ(result["partialFingerprints"]["holdfastCell/v1"], issue["fingerprint"]);
}

TEST(Formats, ResultsOfOtherLocksNameTheTrialsVerdict) {
  const made_up::Page page = one_wrong_cell();
  const RunAssessment found = assess(page.run);
  const auto results = review_results(found, {});
  ASSERT_EQ(results.size(), 1U);
  EXPECT_FALSE(results[0].in_sources);
  EXPECT_TRUE(results[0].place.file.ends_with("verdict.json"));
  EXPECT_TRUE(annotations(found).text().starts_with("::error title="));
}

TEST(Formats, AFingerprintIsOfCellAndRule) {
  made_up::Page page = one_wrong_cell();
  const RunAssessment found = assess(page.run);
  const std::string before = review_results(found, {})[0].identity;
  page.run.seed += 1;
  EXPECT_EQ(review_results(assess(page.run), {})[0].identity, before) << "the same in each run";
  page.run.cells[0].scenario = "another";
  const RunAssessment other = assess(page.run);
  EXPECT_NE(review_results(other, {})[0].identity, before);
}

}  // namespace
}  // namespace holdfast
