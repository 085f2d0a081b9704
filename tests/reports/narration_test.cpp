#include "reports/narration.hpp"

#include <gtest/gtest.h>

#include "reports/rerun.hpp"
#include "reports/suggestion.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

struct Told {
  PageInput in = made_up::failing_run();
  Finding finding = gravest_finding(in.run);
};

TEST(Narration, TellsTheFactsInTheOrderOfTime) {
  const Told told;
  const Timeline timeline = made_up::overlap_timeline();
  const std::vector<std::string> expected{
      "Client 3 held \"orders\" from 12.700 s (#881) to 15.015 s (#930). Its lease ended at 14.200 s, 815 ms before it "
      "stopped acting as holder.",
      "At 13.102 s pause acted on client 3 until 14.602 s (stopped for 1,500 ms).",
      "Client 7 held \"orders\" from 14.203 s (#902) to 15.180 s (#934). Its lease would have lasted until 16.201 s.",
      "From 14.203 s to 15.015 s, 812 ms, both acted as holder.",
      "At 14.460 s client 7 wrote (#911); the resource accepted it.",
      "At 14.640 s client 3 wrote (#917); the resource accepted it.",
      "At 14.960 s client 3 wrote (#928); whether it took effect was never answered."};
  EXPECT_EQ(narrate(told.finding, &timeline).facts, expected);
}

TEST(Narration, FallsBackToTheCheckersWords) {
  const Told told;
  const Timeline elsewhere;
  const std::vector<std::string> expected{made_up::overlap_witness().text};
  EXPECT_EQ(narrate(told.finding, nullptr).facts, expected);
  EXPECT_EQ(narrate(told.finding, &elsewhere).facts, expected);
}

TEST(Narration, OfASimulatedClientNamesNoMoment) {
  RunVerdict run = made_up::failing_run().run;
  Finding finding = gravest_finding(run);
  Witness explored;
  explored.key = "orders";
  explored.text = "A freed what B holds; schedule: A +2.6s B A";
  finding.witness = &explored;
  EXPECT_EQ(headline(finding), finding.cell->lock + " under " + finding.cell->scenario + ": " + explored.text);
  EXPECT_EQ(headline(finding).find("0.000"), std::string::npos);
}

TEST(Narration, KeepsProvenAndSuggestedApart) {
  const Told told;
  const Narration n = narrate(told.finding, nullptr);
  EXPECT_EQ(n.proven, "the overlap (all times are of one clock), kind overrun");
  EXPECT_EQ(n.suggestion, suggested_cause("belief_exclusion", "overrun"));
  EXPECT_FALSE(n.suggestion.empty());
  EXPECT_TRUE(suggested_cause("unheard_of", "").empty());
}

TEST(Finding, IsTheUnexpectedViolationBeforeAllOthers) {
  Told told;
  EXPECT_EQ(told.finding.cell->lock + "/" + told.finding.cell->scenario, "nowait_lease/skew");
  EXPECT_EQ(told.finding.property->property, "belief_exclusion");
  for (auto& cell : told.in.run.cells) {
    if (cell.outcome == Outcome::unexpected) cell.outcome = Outcome::as_expected;
  }
  EXPECT_EQ(gravest_finding(told.in.run).cell->outcome, Outcome::missed);
  for (auto& cell : told.in.run.cells) {
    if (cell.outcome != Outcome::caught) cell.outcome = Outcome::as_expected;
  }
  const Finding caught = gravest_finding(told.in.run);
  EXPECT_EQ(caught.cell->outcome, Outcome::caught);
  EXPECT_NE(caught.witness, nullptr);
  EXPECT_EQ(gravest_finding(made_up::passing_run().run).cell, nullptr);
  EXPECT_EQ(gravest_finding({}).cell, nullptr);
}

TEST(Finding, ListsOnlyWhatIsNotAsExpected) {
  EXPECT_EQ(not_as_expected(made_up::failing_run().run).size(), 4U);  // unavailable is nobody's fault
  EXPECT_TRUE(not_as_expected(made_up::passing_run().run).empty());
}

TEST(Rerun, NarrowsTheRunsOwnCommand) {
  RunVerdict run;
  run.seed = 7;
  Cell cell;
  cell.lock = "upsert_lease+found_rows";
  cell.scenario = "pause";
  run.command = "holdfast run scenarios/quick --only upsert_lease/* --repeat 3";
  EXPECT_EQ(rerun_command(run, cell),
            "holdfast run scenarios/quick --repeat 3 --seed 7 --only upsert_lease+found_rows/pause");
  run.command = "holdfast explore upsert_lease";
  EXPECT_EQ(rerun_command(run, cell), run.command) << "which has no cells";
  run.command = "'/opt/hold fast/run' run x --only=a/b --seed 9";
  EXPECT_EQ(rerun_command(run, cell), "'/opt/hold fast/run' run x --seed 9 --only upsert_lease+found_rows/pause");
  run.command = "holdfast run x --only=a/b --seed 9";
  EXPECT_EQ(rerun_command(run, cell), "holdfast run x --seed 9 --only upsert_lease+found_rows/pause");
  for (const char* word : {"a b/c", "it's/c", "it's a/c d", "/"}) {
    run.command = "holdfast run x --only " + shell_word(word) + " --only=" + shell_word(word) + " --seed 9";
    EXPECT_EQ(rerun_command(run, cell), "holdfast run x --seed 9 --only upsert_lease+found_rows/pause") << word;
  }
}

TEST(Rerun, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_word("a/b+c.d"), "a/b+c.d");
  EXPECT_EQ(shell_word("a; rm -rf 'x'"), "'a; rm -rf '\\''x'\\'''");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("$(x)"), "'$(x)'");
}

TEST(Clients, AreNamedAsInASentence) {
  EXPECT_EQ(clients_text({}), "nobody");
  EXPECT_EQ(clients_text({3}), "client 3");
  EXPECT_EQ(clients_text({3, 7}), "clients 3 and 7");
  EXPECT_EQ(clients_text({1, 2, 5}), "clients 1, 2 and 5");
}

}  // namespace
}  // namespace holdfast
