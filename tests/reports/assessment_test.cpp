#include "reports/assessment_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "reports/lock_answer.hpp"
#include "tests/reports/made_up_answer.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

std::string headline_text(const std::vector<Made>& made) {
  return headline_text(assess(run_of(made)));
}

Made late_overlap(const char* scenario = "pause") {
  return Made(scenario, "pause").violated("mutual_exclusion", "overrun", true);
}

TEST(Severity, IgnoresExpectations) {
  EXPECT_EQ(headline_text({Made("none"), late_overlap().violated("resource", "overrun", true)}), "data damaged");
  EXPECT_EQ(headline_text({Made("none").violated("lease_exclusion", "algorithm")}),
            "two holders at once, the data was not damaged");
  EXPECT_EQ(headline_text({Made("none").violated("lease_exclusion", "algorithm").fenced(3)}),
            "two holders at once, the data is safe (stale writes refused: 3)");
  EXPECT_EQ(headline_text({Made("none").violated("progress", "stuck")}), "stuck");
  EXPECT_EQ(headline_text({Made("none").violated("ownership", "lost_lock")}), "ownership violated");
}

TEST(Severity, WronglyAnsweredReleaseLosesNothing) {
  const Made wrong = Made("reply_lost_release", "reply_lost").violated("ownership", "wrong_answer");
  EXPECT_EQ(assess(run_of({wrong})).severity, Severity::wrong_answer);
  EXPECT_EQ(headline_text({wrong}), "a release took effect but was answered as a loss");
  EXPECT_EQ(headline_text({wrong, Made("none").violated("progress", "stuck")}), "stuck") << "which is worse";
  Made lost_too = wrong;
  for (auto& one : lost_too.trial().verdict.properties) {
    if (one.property == "ownership") one.kinds["lost_lock"] = 1;
  }
  EXPECT_EQ(headline_text({lost_too}), "ownership violated");
  const RunAssessment out = assessed({wrong, Made("none")});
  EXPECT_EQ(out.findings.at(0).severity, Severity::wrong_answer);
  EXPECT_EQ(out.findings.at(0).kind, "wrong_answer");
  EXPECT_TRUE(cases_that(Severity::not_its_owner, out).empty());
  EXPECT_EQ(cases_that(Severity::wrong_answer, out), std::vector<std::string>{"reply_lost_release"});
}

TEST(Severity, NothingBrokeStatesFaultCounts) {
  EXPECT_EQ(headline_text({Made("none")}), "nothing broke, but no fault was injected");
  EXPECT_EQ(headline_text({Made("none"), Made("pause", "pause"), Made("kill", "kill")}),
            "nothing broke; 2 of 2 planned faults acted");
  Made silent("pause", "pause");
  silent.trial().faults[0].acted = 0;
  EXPECT_EQ(headline_text({silent}), "nothing broke, but no fault was injected");
}

TEST(Severity, RefusedStaleWritesBreakNothing) {
  EXPECT_EQ(
      headline_text({late_overlap().fenced(3)}),
      "nothing broke; 1 of 1 planned faults acted; two clients acted as holder at once after a lease had expired, "
      "and the data is safe (stale writes refused: 3)");
  // Without tokens nothing stood between the two and the data.
  EXPECT_EQ(assess(run_of({late_overlap()})).severity, Severity::two_believed);
  // With tokens, but the state of the data is unknown.
  Made unknown = late_overlap().fenced(0);
  for (auto& one : unknown.trial().verdict.properties) {
    if (one.property == "resource") one.judgement = Judgement::not_exercised;
  }
  EXPECT_EQ(headline_text(assess(run_of({unknown}))), "two holders at once");
}

TEST(Severity, PageOfASingleLockSuiteStartsWithIt) {
  RunVerdict run = run_of({Made("none").violated("progress", "stuck"), Made("none", "", "my_lock+found_rows")});
  EXPECT_EQ(answer_of(assess(run)), "");
  run.suite = "generated";
  EXPECT_EQ(answer_of(assess(run)), "my_lock: stuck");
  run.cells.push_back(Made("none", "", "other_lock").cell);
  EXPECT_EQ(answer_of(assess(run)), "");
}

TEST(Severity, PageOrdersFindingsLikeTheAnswer) {
  made_up::Page in;
  in.run = run_of({Made("cut", "partition").violated("ownership", "foreign_release"),
                   Made("dead", "kill").violated("progress", "stuck")});
  in.run.scenarios = {"cut", "dead"};
  EXPECT_EQ(made_up::page_of(in).find("Findings, simplest cell first"), std::string::npos) << "not of one lock's suite";
  in.run.suite = "generated";
  const std::string page = made_up::page_of(in);
  const auto begin = page.find("Findings, simplest cell first");
  ASSERT_NE(begin, std::string::npos);
  std::vector<std::string> told;
  for (const auto& one : assess(in.run).findings) told.push_back(one.cases.front()->scenario);
  ASSERT_EQ(told.size(), 2U);
  const auto first = page.find(">" + told[0] + "</a>", begin);
  ASSERT_NE(first, std::string::npos);
  EXPECT_GT(page.find(">" + told[1] + "</a>", begin), first);
}

TEST(Severity, UnjudgedIsNotPass) {
  Made failed("none");
  failed.trial().outcome = failed.cell.outcome = Outcome::harness_error;
  EXPECT_EQ(headline_text({failed}), "nothing was judged");
  Made open("none");
  open.trial().outcome = open.cell.outcome = Outcome::undecided;
  EXPECT_EQ(headline_text({open}), "nothing was judged");
  EXPECT_EQ(assess(RunVerdict{}).severity, Severity::nothing_judged);
}

TEST(Assessment, SortsCasesIntoGroups) {
  Made damaged = late_overlap("pause_critical_section").violated("resource", "overrun", true);
  Made missing("cut_released", "partition");
  missing.cell.trials.clear();
  RunVerdict run = run_of(
      {Made("none"), damaged, Made("pause_release", "pause"), missing, Made("crowd").violated("progress", "stuck")});
  run.stopped = "the time budget of 5s was over";
  run.not_tried = {{"my_lock", "reenter", "it does not promise that"}};
  const RunAssessment out = assess(run);
  ASSERT_EQ(out.groups.size(), 4U);
  EXPECT_EQ(out.groups[1].end, Severity::data_damaged);
  EXPECT_EQ(out.groups[1].faults, "pause");
  EXPECT_EQ(out.groups[1].all, 2);
  EXPECT_EQ(cases_that(Severity::data_damaged, out), std::vector<std::string>{"pause_critical_section"});
  EXPECT_EQ(cases_that(Severity::nothing_broke, out), (std::vector<std::string>{"none", "pause_release"}));
  EXPECT_EQ(out.groups[0].faults, "no fault");
  EXPECT_EQ(cases_that(Severity::stuck, out), std::vector<std::string>{"crowd"});
  ASSERT_EQ(out.unknown.size(), 2U);
  EXPECT_EQ(out.unknown[0].why, run.stopped);
  EXPECT_EQ(out.unknown[1].cases, std::vector<std::string>{"reenter"});
  EXPECT_EQ(out.exit_code, kExitNotAsExpected);
}

// An adapter that does not start fails each trial, at whichever client comes first.
TEST(Assessment, AnAdaptersReasonIsPrintedOnceAndInFull) {
  const std::string reason = "adapter my_lock: it ended; it said: " + std::string(300, 'x') + " for want of a library";
  std::vector<Made> all{Made("none"), Made("crowd"), Made("lapses")};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].trial().outcome = all[i].cell.outcome = Outcome::harness_error;
    all[i].trial().error = "client " + std::to_string(i) + ": " + reason;
  }
  all[2].trial().error = "client 2: was killed; remedy: more memory";
  const RunAssessment out = assessed({all[0], all[1], all[2]});
  ASSERT_EQ(out.unknown.size(), 2U);
  EXPECT_EQ(out.unknown[0].why, reason);
  EXPECT_EQ(out.unknown[0].cases, (std::vector<std::string>{"none", "crowd"}));
  EXPECT_EQ(out.unknown[1].why, all[2].trial().error);
  const std::string text = assessment_text(out, {}, false).text();
  EXPECT_NE(text.find("for want of a library)"), std::string::npos) << text;
  EXPECT_EQ(text.find("all names and reasons"), std::string::npos) << text;
}

// A job that asks for more time than its lease overruns without any fault: the lock is not to blame for it.
TEST(Assessment, OverlongJobIsNotAFaultlessFailure) {
  Made longer = Made("own_leases").violated("mutual_exclusion", "overrun", true).violated("resource", "overrun", true);
  longer.trial().outcome = longer.cell.outcome = Outcome::allowed;
  longer.cell.expected = {{"mutual_exclusion", "allowed:overrun"}, {"resource", "allowed:overrun"}};
  const RunAssessment out = assessed({Made("none"), longer});
  ASSERT_EQ(out.groups.size(), 2U);
  EXPECT_EQ(out.groups[0].end, Severity::nothing_broke);
  EXPECT_EQ(out.groups[0].faults, "no fault");
  EXPECT_EQ(out.groups[0].all, 1);
  EXPECT_EQ(out.groups[1].end, Severity::data_damaged);
  EXPECT_EQ(out.groups[1].faults, "no fault, but a job longer than its lease");
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_FALSE(out.findings[0].without_fault);
  EXPECT_FALSE(out.findings[0].promised);
}

TEST(Assessment, FaultlessFailureComesFirstAndOnce) {
  const RunAssessment out = assessed({Made("pause", "pause").violated("lease_exclusion", "algorithm"),
                                      Made("kill", "kill").violated("ownership", "foreign_release"),
                                      Made("crowd").violated("lease_exclusion", "algorithm"),
                                      Made("none").violated("lease_exclusion", "algorithm")});
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_TRUE(out.findings[0].without_fault);
  EXPECT_EQ(names_of(out.findings[0].cases), (std::vector<std::string>{"crowd", "none", "pause", "kill"}));
}

TEST(Assessment, ConfirmedCauseIsItsOwnFinding) {
  const Made cut =
      Made("cut", "partition").violated("ownership", "partition").because("partition", CauseState::confirmed);
  const Made suspected =
      Made("cut", "partition").violated("ownership", "partition").because("partition", CauseState::unconfirmed);
  const Made none = Made("none").violated("lease_exclusion", "algorithm");
  EXPECT_EQ(assessed({none, cut}).findings.size(), 2U);
  EXPECT_EQ(assessed({none, suspected}).findings.size(), 1U);
}

TEST(Assessment, ActionAgainstAnOwnerOutranksALoss) {
  Made made = Made("pause", "pause").violated("ownership", "lost_lock").violated("lease_exclusion", "algorithm");
  EXPECT_EQ(assessed({made}).findings.at(0).kind, "algorithm");
  for (auto& one : made.trial().verdict.properties) {
    if (one.property == "ownership") one.kinds["foreign_release"] = 1;
  }
  EXPECT_EQ(assessed({made}).findings.at(0).kind, "foreign_release");
}

// If two hold at once, the first release frees the other's hold, too.
TEST(Assessment, ActionAfterAnOverlapIsNotItsCause) {
  const auto first_at = [](Made& made, const std::string& property, const std::string& kind, std::int64_t ns) {
    for (auto& one : made.trial().verdict.properties) {
      if (one.property == property) one.witnesses = {{"k0", kind, {}, {}, ns, ns + 5, ""}};
    }
  };
  for (const std::int64_t released_ns : {100, 300}) {
    Made made = Made("none").violated("lease_exclusion", "algorithm").violated("ownership", "foreign_release");
    first_at(made, "lease_exclusion", "algorithm", 200);
    first_at(made, "ownership", "foreign_release", released_ns);
    EXPECT_EQ(assessed({made}).findings.at(0).kind, released_ns < 200 ? "foreign_release" : "algorithm");
  }
}

TEST(Assessment, FirstOfTwoActionsIsTheCause) {
  Made made = Made("lapses", "pause").violated("lease_exclusion", "algorithm").violated("ownership", "foreign_renew");
  for (auto& one : made.trial().verdict.properties) {
    if (one.property == "lease_exclusion") one.witnesses = {{"k0", "algorithm", {}, {}, 200, 205, ""}};
    if (one.property != "ownership") continue;
    one.kinds["foreign_release"] = 1;
    one.witnesses = {{"k0", "foreign_renew", {}, {}, 150, 160, ""}, {"k0", "foreign_release", {}, {}, 300, 305, ""}};
  }
  EXPECT_EQ(assessed({made}).findings.at(0).kind, "foreign_renew");
}

TEST(Assessment, SearchFindOfABrokenPropertyIsNotASecondFinding) {
  Made searched = Made(kExplored).violated("ownership", "reply_lost");
  searched.cell.suite.clear();
  const Made paused = Made("pause", "pause").violated("ownership", "foreign_release");
  EXPECT_EQ(assessed({paused, searched}).findings.size(), 1U);
  Made more = searched;
  EXPECT_EQ(assessed({paused, more.violated("lease_exclusion", "algorithm")}).findings.size(), 1U);
  EXPECT_EQ(assessed({searched}).findings.size(), 1U);
  EXPECT_EQ(assessed({Made("kill", "kill").violated("progress", "stuck"), searched}).findings.size(), 2U);
}

// A search has no expectations; a violation that a lease could have prevented is not a lapse.
TEST(Assessment, SearchFindBreaksAPromiseUnlessALeaseWasOver) {
  for (const auto& [kind, promised] : {std::pair{"algorithm", true}, std::pair{"overrun", false}}) {
    Made searched = Made(kExplored).violated("resource", kind);
    searched.cell.suite.clear();
    searched.trial().mismatches.clear();
    const RunAssessment alone = assessed({searched});
    ASSERT_EQ(alone.findings.size(), 1U);
    EXPECT_EQ(alone.findings[0].promised, promised) << kind;
    const Made crowd = Made("crowd").violated("ownership", "lost_lock");
    EXPECT_EQ(assessed({crowd, searched}).findings.size(), promised ? 1U : 2U) << kind;
  }
}

TEST(Assessment, AKindIsNamedOnce) {
  const RunAssessment out = assessed({Made("keys_alike").violated("lease_exclusion", "algorithm"),
                                      Made("fraction").violated("ownership", "lost_lock"),
                                      Made("pause", "pause").violated("mutual_exclusion", "algorithm"),
                                      Made("threads").violated("ownership", "foreign_release"),
                                      Made("cut", "partition").violated("ownership", "foreign_release")});
  ASSERT_EQ(out.findings.size(), 2U);
  EXPECT_EQ(names_of(out.findings[0].cases), (std::vector<std::string>{"keys_alike", "fraction", "pause"}));
  EXPECT_EQ(names_of(out.findings[1].cases), (std::vector<std::string>{"threads", "cut"}));
  EXPECT_FALSE(out.findings[0].loads_differ);
}

TEST(Assessment, SpecialLoadsMayHaveDifferentReasons) {
  const RunAssessment out = assessed({Made("keys_alike").violated("lease_exclusion", "algorithm"),
                                      Made("fraction").violated("lease_exclusion", "algorithm")});
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_TRUE(out.findings[0].loads_differ);
  EXPECT_NE(assessment_text(out, {}, false).text().find("the reasons may differ"), std::string::npos);
}

TEST(Assessment, RefutedFaultLeavesTheStatements) {
  const Made suspected = Made("cut", "partition").violated("ownership", "partition");
  const Made none = Made("keys_alike").violated("lease_exclusion", "algorithm");
  Made refuted = suspected;
  EXPECT_EQ(assessed({none, suspected}).findings.size(), 2U);
  EXPECT_EQ(assessed({none, refuted.because("partition", CauseState::unconfirmed)}).findings.size(), 1U);
}

TEST(Assessment, FallingTokensExplainDamageByLateHolders) {
  const Made fallen = Made("fraction").fenced(0).violated("fencing", "algorithm");
  const Made late = Made("pause", "pause").fenced(0).violated("resource", "overrun");
  EXPECT_EQ(assessed({fallen, late}).findings.size(), 1U);
  EXPECT_EQ(assessed({late}).findings.size(), 1U);
  const Made other = Made("pause", "pause").fenced(0).violated("ownership", "foreign_release");
  EXPECT_EQ(assessed({fallen, other}).findings.size(), 2U);
}

TEST(Assessment, LapseViolationsAreOneFindingAfterBrokenPromises) {
  const RunAssessment out = assessed({late_overlap("a").violated("resource", "overrun", true),
                                      late_overlap("b").violated("resource", "late_grant", true),
                                      Made("c", "partition").violated("ownership", "foreign_release")});
  ASSERT_EQ(out.findings.size(), 2U);
  EXPECT_EQ(out.findings[0].kind, "foreign_release");
  EXPECT_TRUE(out.findings[0].promised);
  EXPECT_FALSE(out.findings[1].promised);
  EXPECT_EQ(names_of(out.findings[1].cases), (std::vector<std::string>{"a", "b"}));
}

TEST(Assessment, ExitCodes) {
  EXPECT_EQ(assessed({Made("none"), Made("pause", "pause")}).exit_code, kExitAsExpected);
  EXPECT_EQ(assessed({late_overlap().fenced(2)}).exit_code, kExitAsExpected);
  EXPECT_EQ(assessed({late_overlap()}).exit_code, kExitNotAsExpected);
  Made failed("kill", "kill");
  failed.trial().outcome = failed.cell.outcome = Outcome::harness_error;
  EXPECT_EQ(assessed({Made("none"), failed}).exit_code, kExitHarness);
  EXPECT_EQ(assessed({Made("none").violated("progress", "stuck"), failed}).exit_code, kExitNotAsExpected);
  Made open("none");
  open.trial().outcome = open.cell.outcome = Outcome::undecided;
  EXPECT_EQ(assessed({open}).exit_code, kExitUndecided);
}

TEST(Assessment, TextAndJsonAgree) {
  const RunAssessment out = assessed({late_overlap("pause_x").violated("resource", "overrun", true), Made("none")});
  const SeeAgain again{.page = "runs/x/report.html",
                       .command = "holdfast try my_lock --seed 1",
                       .circumstances = "seed 1",
                       .finds = {"holdfast replay runs/x y"},
                       .instead = "`fenced_lease`"};
  const std::string text = assessment_text(out, again, false).text();
  for (const char* word : {"my_lock: data damaged", "data damaged under:", "pause_x", "safe under:", "no fault 1 of 1",
                           "which a lease alone cannot prevent", "holdfast replay runs/x y", "`fenced_lease`",
                           "runs/x/report.html", "holdfast try my_lock --seed 1"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " in\n" << text;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(assessment_text(out, again, true).text().find('\x1b'), std::string::npos);
  const nlohmann::ordered_json json = assessment_json(out, again);
  EXPECT_EQ(json.at("severity"), "data_damaged");
  EXPECT_EQ(json.at("exit_code"), kExitNotAsExpected);
  EXPECT_EQ(json.at("findings").at(0).at("again"), "holdfast replay runs/x y");
  EXPECT_EQ(json.at("data_damaged").at(0).at("cases").at(0), "pause_x");
}

TEST(Assessment, TextAndJsonIncludeLockNotes) {
  const std::string note = "my_lock: its server is a stand-in";
  RunVerdict run = run_of({Made("none")});
  EXPECT_EQ(assessment_json(assess(run), {}).at("notes").size(), 0U);
  run.notes = {note};
  const RunAssessment out = assess(run);
  EXPECT_EQ(assessment_json(out, {}).at("notes").at(0), note);
  EXPECT_NE(assessment_text(out, {}, false).text().find(note), std::string::npos);
}

TEST(Assessment, HostileNamesStayWithinTheirLine) {
  Made made("none\n\x1b[2J", "");
  made.violated("progress", "stuck");
  const std::string text = assessment_text(assessed({made}), {}, false).text();
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace holdfast
