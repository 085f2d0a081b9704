// The words of assertions in the answer, the grade and the reports.
#include "reports/assertion_text.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "reports/lock_answer.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_answer.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

AssertionRecord record(AssertionKind kind, const std::string& name, std::int64_t held) {
  const AssertionCount count{kind, name, held, 0};
  return {"my_lock", count, is_reached(count)};
}

RunVerdict asserted_run(std::int64_t retries) {
  std::vector<Made> all{Made("none"), Made("kill_holder", "kill"), Made("pause_holder", "pause"),
                        Made("reply_lost_acquire", "reply_lost"), Made("cut_holder", "partition")};
  for (auto& one : all) {
    one.cell.expected = {{"mutual_exclusion", "allowed:overrun"}};
    for (auto& proof : one.trial().faults) proof.holders = proof.struck.granted = 1;
  }
  RunVerdict run = run_of(all);
  run.suite = "generated";
  run.assertions = {record(AssertionKind::always, "silent after release", 9),
                    record(AssertionKind::sometimes, "a retry", retries)};
  return run;
}

TEST(AssertionText, NamesWhatWasNeverReached) {
  EXPECT_EQ(assertion_answer(asserted_run(1), "my_lock"), "Assertions of my_lock: 2 of 2 were reached.");
  const std::string answer = assertion_answer(asserted_run(0), "my_lock");
  EXPECT_TRUE(has(answer, "1 of 2 were reached. Never reached: sometimes \"a retry\"."));
  EXPECT_TRUE(has(answer, "add a scenario that reaches it, or remove the assertion"));
  EXPECT_TRUE(assertion_answers(RunVerdict{}).empty());
}

TEST(AssertionText, NeverReachedLowersTheGrade) {
  const RunVerdict reached = asserted_run(1);
  EXPECT_EQ(assess(reached).locks.at(0).grade.grade, Grade::safe);
  EXPECT_EQ(assess(reached).exit_code, kExitAsExpected);
  const RunVerdict never = asserted_run(0);
  const RunAssessment found = assess(never);
  EXPECT_EQ(found.locks.at(0).grade.grade, Grade::not_known);
  EXPECT_EQ(found.exit_code, kExitUndecided);
  EXPECT_TRUE(has(headline_text(found), "nothing broke, but an assertion was never reached"));
  EXPECT_TRUE(has(grade_reason(found.locks.at(0)), "Never reached: sometimes \"a retry\"."));
}

TEST(AssertionText, ListsAFewNames) {
  std::vector<std::string> many;
  for (int i = 0; i < 9; ++i) many.push_back("reached \"" + std::to_string(i) + "\"");
  EXPECT_TRUE(has(some_assertions(many), "reached \"5\" and 3 more"));
}

TEST(AssertionText, PageEscapesNames) {
  RunVerdict run = asserted_run(1);
  run.assertions.push_back(record(AssertionKind::reached, "<b>&", 0));
  HtmlWriter out;
  write_assertions(run, out);
  const std::string page = std::move(out).take().text();
  EXPECT_TRUE(has(page, "reached &quot;&lt;b&gt;&amp;&quot;") || has(page, "reached \"&lt;b&gt;&amp;\""));
  EXPECT_TRUE(has(page, "never reached"));
}

TEST(AssertionText, JunitHasACaseForThem) {
  made_up::Page page;
  page.run = asserted_run(0);
  const RunAssessment found = assess(page.run);
  const FormatInput in = made_up::format_input(page, found);
  const std::string junit = find_entry(formats(), "junit")->of_run(in);
  EXPECT_TRUE(has(junit, "name=\"assertions_reached\""));
  EXPECT_TRUE(has(junit, "type=\"never_reached\""));
}

}  // namespace
}  // namespace holdfast
