#include "reports/matrix.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/finding.hpp"
#include "reports/sentence.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

std::string sentence_of(const RunVerdict& run) {
  return run_sentence(assess(run));
}

TEST(Matrix, ShowsEveryOutcomeInItsPlace) {
  const std::string text = matrix_text(assess(made_up::failing_run().run), false).text();
  EXPECT_TRUE(has(text,
                  "              none  pause  partition  skew   kill_server\n"
                  "insert_lease  ok    x exp  ok         ok     ok\n"
                  "nowait_lease  ok    x exp  ok         x!     ok\n"
                  "ip_lease      !     x exp  x exp      x exp  x exp\n"
                  "fenced_lease  ok    ok     -          ?      E err\n"))
      << text;
}

// On a narrow screen the matrix continues below itself, with the names of the rows again.
TEST(Matrix, FitsTheColumnsOfTheScreen) {
  const RunVerdict run = made_up::failing_run().run;
  const std::string text = matrix_text(assess(run), false, 50).text();
  EXPECT_TRUE(has(text,
                  "              none  pause  partition  skew\n"
                  "insert_lease  ok    x exp  ok         ok\n"))
      << text;
  EXPECT_TRUE(has(text,
                  "\n\n              kill_server\n"
                  "insert_lease  ok\n"))
      << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(columns(line) <= 50 || has(line, "rerun: ")) << line;
  }
}

TEST(Matrix, FoldedLinesContinueBelowTheirBeginning) {
  const auto text = [](const char* line, std::size_t most) { return folded(terminal_text("{}\n", line), most).text(); };
  EXPECT_EQ(text("  one two three", 9), "  one two\n  three\n");
  EXPECT_EQ(text("  one two three", 0), "  one two three\n");
  EXPECT_EQ(text("one  two three", 14), "one  two three\n");
  EXPECT_EQ(text("    rerun: holdfast run quick", 10), "    rerun: holdfast run quick\n");
  const TerminalText red = terminal_text("{}one{} two three\n", Literal("\x1b[1;31m"), Literal("\x1b[0m"));
  EXPECT_EQ(folded(red, 7).text(), "\x1b[1;31mone\x1b[0m two\nthree\n") << "colours have no width";
}

TEST(Matrix, ExplainsOnlyTheOutcomesItShows) {
  const std::string failing = matrix_text(assess(made_up::failing_run().run), false).text();
  for (const char* meaning : {"ok as expected", "x exp violated as expected", "x! violated unexpectedly",
                              "- this machine", "! an expected violation", "? undecided", "E err the harness failed"}) {
    EXPECT_TRUE(has(failing, meaning)) << meaning;
  }
  const std::string passing = matrix_text(assess(made_up::passing_run().run), false).text();
  EXPECT_TRUE(has(passing, "ok as expected\n"));
  EXPECT_FALSE(has(passing, "not expected"));
}

TEST(Matrix, ListsUnexpectedCellsWithRerunCommand) {
  const std::string text = matrix_text(assess(made_up::failing_run().run), false).text();
  EXPECT_TRUE(has(
      text, "x!  nowait_lease under skew: clients 3 and 7 both held \"orders\" for 812 ms (14.203 s to 15.015 s)\n"));
  EXPECT_TRUE(has(text, "rerun: holdfast run scenarios/quick --seed 42 --only nowait_lease/skew\n"));
  EXPECT_TRUE(has(text, "!  ip_lease under none: mutual_exclusion: expected violated:overrun, seen holds\n"));
  EXPECT_TRUE(has(text, "(no grant was live while the fault acted)"));
  EXPECT_TRUE(has(text, "the server did not answer within 10 s"));
  EXPECT_FALSE(
      has(text, "rerun: holdfast run scenarios/quick --seed 42 --only insert_lease/pause"));  // expected: no complaint
  EXPECT_FALSE(has(matrix_text(assess(made_up::passing_run().run), false).text(), "rerun:"));
}

TEST(Matrix, GroupsEqualViolationsOfSeveralCells) {
  RunVerdict run = made_up::failing_run().run;
  const auto skewed = std::find_if(run.cells.begin(), run.cells.end(),
                                   [](const Cell& cell) { return cell.outcome == Outcome::unexpected; });
  skewed->trials.front().faults = {{"client_skew", 1, 1, "", ""}};
  Cell again = *skewed;
  again.scenario = "skew_back";
  Cell other = again;
  other.scenario = "slow";
  for (auto& property : other.trials.front().verdict.properties) {
    for (auto& witness : property.witnesses) witness.kind = "algorithm";
  }
  run.scenarios.insert(run.scenarios.end(), {again.scenario, other.scenario});
  run.cells.insert(run.cells.end(), {again, other});
  const std::string text = matrix_text(assess(run), false).text();
  EXPECT_TRUE(has(text, "    Also in: skew_back\n    rerun:")) << text;
  EXPECT_FALSE(has(text, "nowait_lease under skew_back")) << text;
  EXPECT_TRUE(has(text, "nowait_lease under slow")) << "another kind, another story";
}

TEST(Matrix, ListsFaultlessFailuresOnceAndFirst) {
  RunVerdict run = made_up::failing_run().run;
  const auto skewed = std::find_if(run.cells.begin(), run.cells.end(),
                                   [](const Cell& cell) { return cell.outcome == Outcome::unexpected; });
  skewed->trials.front().faults = {{"client_skew", 1, 1, "", ""}};
  Cell plain = *skewed;
  plain.scenario = "crowd";
  plain.trials.front().faults.clear();
  for (auto& property : plain.trials.front().verdict.properties) {
    for (auto& witness : property.witnesses) witness.kind = "algorithm";
  }
  const std::string told_twice = matrix_text(assess(run), false).text();
  EXPECT_TRUE(has(told_twice, "nowait_lease under skew"));
  run.scenarios.push_back(plain.scenario);
  run.cells.push_back(plain);
  const auto told = [&run] { return matrix_text(assess(run), false).text(); };
  EXPECT_TRUE(has(told(), "nowait_lease under crowd")) << told();
  EXPECT_FALSE(has(told(), "nowait_lease under skew")) << told();
  EXPECT_TRUE(has(told(), "    Also in: skew\n")) << told();
  EXPECT_EQ(assess(run).severest.cell->scenario, "crowd");
  // Controls say that the fault is the cause of the other: then it is a finding of its own.
  for (auto& cell : run.cells) {
    if (cell.scenario != "skew" || cell.outcome != Outcome::unexpected) continue;
    cell.trials.front().causes = {
        {"mutual_exclusion", "client_skew", true, {"client_skew"}, CauseState::confirmed, 5, 5, "", {}}};
  }
  EXPECT_TRUE(has(told(), "nowait_lease under skew")) << told();
}

TEST(Matrix, ListsProvedFaults) {
  const std::string text = matrix_text(assess(made_up::failing_run().run), false).text();
  EXPECT_TRUE(has(text, "Faults proved: pause 5/5 (longest 2.31 s)   partition 4/4 (1,204 packets dropped)"));
  EXPECT_TRUE(has(text, "delay unavailable (this kernel has no sch_netem)"));
}

TEST(Matrix, LongProofStartsAfterItsTitle) {
  RunVerdict run = made_up::failing_run().run;
  run.faults = {{"pause", 5, 5, std::string(200, 'x'), ""}, {"kill", 1, 1, "", ""}};
  const std::string begin =
      "Faults proved: pause 5/5 (" + std::string(200, 'x') + ")\n" + std::string(15, ' ') + "kill 1/1\n";
  EXPECT_TRUE(has(matrix_text(assess(run), false).text(), begin)) << matrix_text(assess(run), false).text();
}

TEST(Matrix, CountsRepeatedTrials) {
  const std::string text = matrix_text(assess(made_up::failing_run(10).run), false).text();
  EXPECT_TRUE(has(text, "ok 10/10"));
  EXPECT_TRUE(has(text, "x! 0/10"));
  EXPECT_TRUE(has(text, "k/n trials as expected"));
}

TEST(Matrix, ColoursOnlyWhenAsked) {
  EXPECT_TRUE(has(matrix_text(assess(made_up::failing_run().run), true).text(), "\x1b[1;31mx!\x1b[0m"));
  EXPECT_FALSE(has(matrix_text(assess(made_up::failing_run().run), false).text(), "\x1b"));
}

TEST(Matrix, EscapesControlCharactersInNames) {
  const std::string text = matrix_text(assess(made_up::hostile_run().run), false).text();
  EXPECT_FALSE(has(text, "\x1b"));
  EXPECT_FALSE(has(text, "\xff"));
  EXPECT_TRUE(has(text, "\\x1B[2J \\xFF\\xFE \\u202E"));
}

TEST(Matrix, EmptyRunHasALine) {
  EXPECT_EQ(matrix_text(assess({}), false).text(),
            "UNAVAILABLE  nothing could run on this machine        seed 0 · 0.0 s\n");
}

TEST(Matrix, LeavesCellsThatDidNotRunBlank) {
  const std::string text = matrix_text(assess(made_up::interrupted_run().run), false).text();
  EXPECT_TRUE(has(text, "insert_lease  ok\n"));
  EXPECT_TRUE(has(text, "\nip_lease\n"));
}

TEST(Matrix, ExplainsBlanksOnlyIfPresent) {
  RunVerdict run = made_up::passing_run().run;
  EXPECT_FALSE(has(matrix_text(assess(run), false).text(), "blank"));
  run.cells.pop_back();
  EXPECT_TRUE(has(matrix_text(assess(run), false).text(), "ok as expected · blank: not part of that scenario\n"));
  run.interrupted = true;  // a cell that was asked for and did not run has a mark
  EXPECT_TRUE(has(matrix_text(assess(run), false).text(), "blank: not part of that scenario\n"));
}

TEST(Matrix, ListsCaughtFlawsInASmallRun) {
  RunVerdict run = made_up::failing_run().run;
  const char* const why = "    Expected because: no lease survives a pause longer than itself\n";
  EXPECT_FALSE(has(matrix_text(assess(run), false).text(), why));
  std::erase_if(run.cells,
                [](const Cell& cell) { return cell.outcome != Outcome::caught || cell.scenario != "pause"; });
  ASSERT_EQ(run.cells.size(), 3u);
  const std::string text = matrix_text(assess(run), false).text();
  EXPECT_TRUE(has(text, "x exp  nowait_lease under pause: clients 3 and 7 both held")) << text;
  EXPECT_TRUE(has(text, why)) << text;
  EXPECT_FALSE(has(text, "rerun:")) << text;
}

TEST(Matrix, NamesARemedyForUndecidedCells) {
  const std::string text = matrix_text(assess(made_up::failing_run().run), false).text();
  EXPECT_TRUE(has(text, "    Remedy: the dangerous moment never came: try other seeds")) << text;
  EXPECT_TRUE(has(text, "    Remedy: use --repeat 10 to see how often it happens")) << text;
}

RunVerdict of(std::initializer_list<Outcome> outcomes, int exit_code = 0) {
  RunVerdict run;
  run.server = "MariaDB 10.11.19";
  run.seed = 42;
  run.seconds = 192.4;
  run.exit_code = exit_code;
  for (const Outcome outcome : outcomes) run.cells.emplace_back().outcome = outcome;
  return run;
}

TEST(Sentence, FollowsTheOrderOfTheExitCodes) {
  using enum Outcome;
  const std::string tail = "        MariaDB 10.11.19 · seed 42 · 3 m 12 s";
  EXPECT_EQ(sentence_of(of({as_expected, caught})), "PASS  2 of 2 cells as expected (1 flaw caught)" + tail);
  EXPECT_EQ(sentence_of(of({as_expected, allowed, allowed})),
            "PASS  3 of 3 cells as expected (2 with allowed violations)" + tail);
  EXPECT_EQ(sentence_of(of({allowed, caught})),
            "PASS  2 of 2 cells as expected (1 flaw caught, 1 with allowed violations)" + tail);
  EXPECT_EQ(sentence_of(of({allowed, unexpected}, 1)),
            "FAIL  1 of 2 cells not as expected, 1 with allowed violations" + tail);
  EXPECT_EQ(sentence_of(of({as_expected, unavailable})), "PASS  1 of 2 cells as expected, 1 unavailable here" + tail);
  EXPECT_EQ(sentence_of(of({missed, unexpected, harness_error, undecided, as_expected}, 1)),
            "FAIL  2 of 5 cells not as expected, 1 with a harness error, 1 undecided" + tail);
  EXPECT_EQ(sentence_of(of({harness_error, undecided}, 5)),
            "ERROR  1 of 2 cells without a verdict: the harness failed, 1 undecided" + tail);
  EXPECT_EQ(sentence_of(of({undecided, caught}, 3)), "UNDECIDED  1 of 2 cells undecided or not exercised" + tail);
  EXPECT_EQ(sentence_of(of({unavailable}, 4)), "UNAVAILABLE  nothing could run on this machine" + tail);
  EXPECT_EQ(sentence_of(of({caught}, 4)),
            "UNAVAILABLE  1 of 1 cell as expected, but a required fault is unavailable here" + tail);
  RunVerdict over = of({caught, not_run}, 3);
  over.cells[1].planned = 2;
  over.stopped = "the time budget of 10m was over";
  EXPECT_EQ(sentence_of(over), "UNDECIDED  1 of 2 cells not run to the end: the time budget of 10m was over" + tail);
  RunVerdict stopped = of({as_expected, unexpected}, 130);
  stopped.interrupted = true;
  EXPECT_EQ(sentence_of(stopped), "INTERRUPTED  2 of 2 cells judged before the interruption, 1 not as expected" + tail);
}

TEST(Sentence, ReplayStartsWithTheUnreproducedViolation) {
  using enum Outcome;
  const auto said = [](Outcome outcome, int exit_code) {
    RunVerdict run = of({outcome}, exit_code);
    run.not_again = "the violation was not reproduced: reproduced 0 of 5";
    const auto read = from_json<RunVerdict>(to_json(run));
    const Sentence parts = sentence_parts(assess(read));
    return parts.word + "  " + parts.claim;
  };
  const std::string first = "  the violation was not reproduced: reproduced 0 of 5; ";
  EXPECT_EQ(said(as_expected, 3), "UNDECIDED" + first + "1 of 1 cell as expected");
  EXPECT_EQ(said(undecided, 3), "UNDECIDED" + first + "1 of 1 cell undecided or not exercised");
  EXPECT_EQ(said(missed, 1), "FAIL" + first + "1 of 1 cell not as expected");
}

TEST(Sentence, SearchCountsLocks) {
  using enum Outcome;
  const auto said = [](std::initializer_list<Outcome> outcomes, int exit_code) {
    RunVerdict run = of(outcomes, exit_code);
    run.suite = kExplored;
    return sentence_parts(assess(run)).word + "  " + sentence_parts(assess(run)).claim;
  };
  EXPECT_EQ(said({unexpected}, 1), "FAIL  1 of 1 lock violated");
  EXPECT_EQ(said({unexpected, as_expected, undecided}, 1), "FAIL  1 of 3 locks violated, 1 undecided");
  EXPECT_EQ(said({as_expected}, 0), "PASS  1 lock searched to the bounds, none violated");
  EXPECT_EQ(said({undecided}, 3), "UNDECIDED  1 of 1 lock undecided");
  EXPECT_EQ(said({as_expected, caught}, 0), "PASS  2 locks searched to the bounds, 1 violated only in known ways");
}

TEST(Sentence, SearchNamesItsBounds) {
  using enum Outcome;
  const auto said = [](std::initializer_list<Outcome> outcomes, int exit_code) {
    RunVerdict run = of(outcomes, exit_code);
    run.suite = kExplored;
    run.within = "2 clients and 1 fault";
    const auto read = from_json<RunVerdict>(to_json(run));
    return run_sentence(assess(read));
  };
  const std::string within = " within 2 clients and 1 fault";
  EXPECT_EQ(said({unexpected}, 1).find("FAIL  1 of 1 lock violated" + within), 0U);
  EXPECT_EQ(said({as_expected}, 0).find("PASS  1 lock searched to the bounds, none violated" + within), 0U);
  EXPECT_EQ(said({undecided}, 3).find("UNDECIDED  1 of 1 lock undecided" + within), 0U);
}

}  // namespace
}  // namespace holdfast
