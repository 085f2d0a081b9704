// "Does it hold?", and that a violation which is allowed is never taken for nothing.
#include "reports/lock_answer.hpp"

#include <gtest/gtest.h>

#include "reports/format.hpp"
#include "reports/matrix.hpp"
#include "reports/outcome_words.hpp"
#include "reports/truth_table.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

std::string only_answer(const RunVerdict& run) {
  const auto all = lock_answers(assess(run));
  return all.size() == 1 ? all.front() : std::to_string(all.size()) + " answers";
}

TEST(LockAnswer, CountsLapsesAndTheirDamage) {
  EXPECT_EQ(
      only_answer(made_up::allowed_run().run),
      "insert_lease is as safe as a lease can be: it kept every promise in all 5 cells. In 2 cells a holder that was "
      "stopped, cut off or still working past its lease acted alongside another, which a lease cannot prevent; the "
      "data "
      "was damaged. A fencing token that the resource checks would keep the data safe.");
}

TEST(LockAnswer, SeparatesLostServerState) {
  RunVerdict run = made_up::allowed_run().run;
  for (auto& property : run.cells[1].trials[0].verdict.properties) {
    if (property.judgement == Judgement::violated) property.kinds = {{"server_lost_state", 1}};
  }
  EXPECT_TRUE(
      has(only_answer(run), "In 1 cell a holder that was stopped, cut off or still working past its lease acted "))
      << only_answer(run);
  EXPECT_TRUE(has(only_answer(run), "In 1 cell the server lost a grant that it had acknowledged"));
  for (auto& property : run.cells[1].trials[0].verdict.properties) {
    if (property.judgement == Judgement::violated) property.kinds["overrun"] = 1;
  }
  EXPECT_FALSE(has(only_answer(run), "the server lost a grant")) << "one lease was over, too";
}

TEST(LockAnswer, EndedSessionIsNotALease) {
  RunVerdict run = made_up::allowed_run().run;
  for (auto& property : run.cells[1].trials[0].verdict.properties) {
    if (property.judgement == Judgement::violated) property.kinds = {{"session_lost", 1}};
  }
  EXPECT_TRUE(has(only_answer(run), "In 1 cell the server ended the session that held the lock")) << only_answer(run);
  EXPECT_FALSE(has(only_answer(run), "the server lost a grant")) << only_answer(run);
}

TEST(LockAnswer, TokensAreNoRemedyForALostServerState) {
  RunVerdict run = made_up::allowed_run().run;
  for (auto& cell : run.cells) {
    for (auto& property : cell.trials[0].verdict.properties) {
      if (property.judgement == Judgement::violated) property.kinds = {{"server_lost_state", 1}};
    }
  }
  EXPECT_TRUE(has(only_answer(run), "In 2 cells the server lost a grant that it had acknowledged")) << only_answer(run);
  EXPECT_FALSE(has(only_answer(run), "token")) << only_answer(run);
}

TEST(LockAnswer, SeparatesFaultsRuledOutByTheDocumentation) {
  RunVerdict run = made_up::allowed_run().run;
  const auto seen = [&](const std::map<std::string, std::int64_t>& kinds) {
    for (auto& property : run.cells[1].trials[0].verdict.properties) {
      if (property.judgement == Judgement::violated) property.kinds = {kinds.begin(), kinds.end()};
    }
    return only_answer(run);
  };
  const std::string lapsed = " a holder that was stopped, cut off or still working past its lease acted ";
  const std::string excused = "In 1 cell a promise was broken, which is allowed here under client_skew;";
  EXPECT_TRUE(has(seen({{"client_skew", 1}}), "In 1 cell" + lapsed)) << only_answer(run);
  EXPECT_TRUE(has(only_answer(run), excused)) << only_answer(run);
  EXPECT_TRUE(has(seen({{"client_skew", 1}, {"overrun", 1}}), "In 2 cells" + lapsed)) << only_answer(run);
  EXPECT_TRUE(has(only_answer(run), excused)) << only_answer(run);
}

TEST(LockAnswer, ReportsOtherEffectsOfRuledOutFaults) {
  RunVerdict run = made_up::allowed_run().run;
  std::erase_if(run.cells, [](const Cell& cell) { return cell.outcome == Outcome::allowed; });
  PropertyVerdict progress;
  progress.property = "progress";
  progress.judgement = Judgement::violated;
  progress.kinds = {{"partition", 1}};
  run.cells[0].trials[0].verdict.properties.push_back(progress);
  run.cells[0].outcome = Outcome::allowed;
  EXPECT_EQ(only_answer(run),
            "insert_lease is as safe as a lease can be: it kept every promise in all 3 cells. In 1 cell a promise was "
            "broken, which is allowed here under partition; the data was not damaged.");
}

TEST(LockAnswer, DoesNotAdviseTokensToAFencedLock) {
  RunVerdict run = made_up::allowed_run().run;
  PropertyVerdict tokens;
  tokens.property = "fencing";
  tokens.judgement = Judgement::holds;
  run.cells[0].trials[0].verdict.properties.push_back(tokens);
  EXPECT_TRUE(has(only_answer(run), "Its tokens did not keep the data safe")) << only_answer(run);
  EXPECT_FALSE(has(only_answer(run), "would keep the data safe"));
}

TEST(LockAnswer, IsSafeOnlyWithoutViolations) {
  RunVerdict run = made_up::allowed_run().run;
  std::erase_if(run.cells, [](const Cell& cell) { return cell.outcome == Outcome::allowed; });
  EXPECT_EQ(only_answer(run), "insert_lease is safe: it kept every promise in all 3 cells.");
}

TEST(LockAnswer, ReportsBrokenAndInconclusiveCells) {
  RunVerdict run = made_up::allowed_run().run;
  run.cells[3].outcome = Outcome::undecided;
  EXPECT_TRUE(has(only_answer(run), ": it kept every promise in 4 of 5 cells; 1 was inconclusive (skew)."));
  run.cells[4].outcome = Outcome::unexpected;
  EXPECT_TRUE(has(only_answer(run), "is broken: it broke a promise in 1 of 5 cells (kill_server)."))
      << only_answer(run);
}

TEST(LockAnswer, CellsThatHadNoTimeAreNotInconclusive) {
  RunVerdict run = made_up::allowed_run().run;
  run.cells[3].outcome = Outcome::not_run;
  run.cells[3].trials.clear();
  EXPECT_TRUE(has(only_answer(run), ": it kept every promise in 4 of 5 cells; 1 did not run.")) << only_answer(run);
  run.cells[2].outcome = Outcome::undecided;
  EXPECT_TRUE(has(only_answer(run), " 1 was inconclusive (")) << only_answer(run);
  EXPECT_TRUE(has(only_answer(run), "), 1 did not run.")) << only_answer(run);
}

TEST(LockAnswer, CoversLocksJudgedByTheirPromisesOnly) {
  EXPECT_TRUE(lock_answers(assess(made_up::failing_run().run)).empty());
  RunVerdict run = made_up::allowed_run().run;
  run.cells[0].expected["mutual_exclusion"] = "violated:overrun";
  EXPECT_TRUE(lock_answers(assess(run)).empty());
}

Cell cell_with(const char* lock, const char* scenario, Judgement holders, Judgement data, Outcome outcome) {
  TrialResult trial;
  trial.outcome = outcome;
  for (const auto& [name, judgement] : {std::pair{"mutual_exclusion", holders}, std::pair{"resource", data}}) {
    PropertyVerdict property;
    property.property = name;
    property.judgement = judgement;
    trial.verdict.properties.push_back(property);
  }
  Cell cell;
  cell.lock = lock;
  cell.scenario = scenario;
  cell.outcome = outcome;
  cell.trials = {trial};
  return cell;
}

TEST(DataAnswer, StatesTheDataDamageDespiteExpectations) {
  constexpr auto kBad = Judgement::violated;
  constexpr auto kGood = Judgement::holds;
  RunVerdict run;
  run.cells = {cell_with("a", "pause", kBad, kBad, Outcome::caught),
               cell_with("a", "kill", kBad, kBad, Outcome::caught),
               cell_with("b", "pause", kBad, kGood, Outcome::caught), cell_with("b", "none", kGood, kGood, {}),
               cell_with("c", "pause", kBad, Judgement::not_exercised, Outcome::caught)};
  PropertyVerdict tokens;
  tokens.property = "fencing";
  tokens.judgement = kGood;
  tokens.coverage["stale_tokens_presented"] = 2;
  run.cells[2].trials[0].verdict.properties.push_back(tokens);
  EXPECT_EQ(
      data_answers(assess(run)),
      (std::vector<std::string>{
          "Data damaged by known flaws, as expected: a (2 cells).",
          "Two clients acted as holder at once, but the data was not damaged (stale writes refused: 2): b/pause."}));
  run.cells[0].outcome = Outcome::unexpected;
  EXPECT_EQ(data_answers(assess(run)).front(), "Data damaged: a/pause.");
  run.cells = {run.cells[3]};
  EXPECT_TRUE(data_answers(assess(run)).empty());
  EXPECT_TRUE(data_answers(assess(made_up::allowed_run().run)).empty()) << "its answer says it";
}

TEST(Allowed, HasItsOwnMarkInEveryReport) {
  const made_up::Page in = made_up::allowed_run();
  const std::string terminal = matrix_text(assess(in.run), false).text();
  EXPECT_TRUE(has(terminal, "insert_lease  ok    (x)    (x)        ok    ok\n")) << terminal;
  EXPECT_TRUE(has(terminal, "(x) violated in an allowed way"));
  EXPECT_TRUE(has(terminal, "5 of 5 cells as expected (2 with allowed violations)"));
  EXPECT_TRUE(has(terminal, "insert_lease is as safe as a lease can be"));
  const RunAssessment found = assess(in.run);
  const FormatInput input = made_up::format_input(in, found);
  const auto written = [&input](const char* format) { return find_entry(formats(), format)->of_run(input); };
  EXPECT_TRUE(has(written("html"), "o-allowed"));
  const std::string page = written("html");
  const std::string first = page.substr(page.find("<h1"), page.find("</h1>") - page.find("<h1"));
  EXPECT_TRUE(has(first, "As safe as a lease can be") && has(first, "insert_lease")) << first;
  EXPECT_TRUE(has(written("markdown"), "(✗) allowed"));
  EXPECT_TRUE(has(written("markdown"), "insert_lease is as safe as a lease can be"));
  EXPECT_TRUE(has(written("json"), "\"outcome\": \"allowed\""));
  EXPECT_TRUE(has(written("junit"), "violated in an allowed way\n"));
  EXPECT_FALSE(has(written("junit"), "<failure"));
}

TEST(Allowed, IsCountedInTheTable) {
  RunVerdict run = made_up::allowed_run().run;
  const auto rows = truth_table({run});
  EXPECT_TRUE(has(table_text(rows).text(), "1 with allowed violations") ||
              has(table_text(rows).text(), "2 with allowed violations"))
      << table_text(rows).text();
}

TEST(ExpectedWord, IsUnambiguous) {
  EXPECT_EQ(expected_word(""), "holds");
  EXPECT_EQ(expected_word("allowed"), "holds, or not exercised");
  EXPECT_EQ(expected_word("allowed:overrun"), "holds, not exercised, or violated:overrun");
  EXPECT_EQ(expected_word("violated:overrun"), "violated:overrun");
  EXPECT_EQ(expected_word("holds_but:client_skew"), "holds, or violated:client_skew");
}

TEST(ExpectedWord, TableOmitsInapplicableProperties) {
  RunVerdict run = made_up::allowed_run().run;
  run.cells.resize(1);
  run.cells[0].expected = {{"fencing", "allowed"}, {"ownership", "allowed"}};
  EXPECT_EQ(expected_words(truth_table({run}).front()), "holds; holds, or not exercised: ownership");
}

}  // namespace
}  // namespace holdfast
