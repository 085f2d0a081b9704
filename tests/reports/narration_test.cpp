#include "reports/narration.hpp"

#include <gtest/gtest.h>

#include "artifact/shell_command.hpp"
#include "reports/rerun.hpp"
#include "reports/suggestion.hpp"
#include "tests/reports/made_up_run.hpp"

namespace holdfast {
namespace {

struct Told {
  made_up::Page in = made_up::failing_run();
  Finding finding = assess(in.run).severest;
};

std::vector<std::string> facts_of(const Finding& finding, const Timeline* timeline) {
  std::vector<std::string> out;
  for (const Fact& fact : narrate(finding, timeline).facts) out.push_back(fact.text);
  return out;
}

TEST(Narration, FactsAreInOrderOfTime) {
  const Told told;
  const Timeline timeline = made_up::overlap_timeline();
  const std::vector<std::string> expected{
      "Client 3 held \"orders\" from 12.700 s (#881) to 15.015 s (#930).",
      "From 13.102 s to 14.602 s the fault pause acted on client 3 (stopped for 1,500 ms).",
      "At 14.200 s the lease of client 3 ended, 815 ms before it stopped acting as holder.",
      "Client 7 held \"orders\" from 14.203 s (#902) to 15.180 s (#934). Its lease would have lasted until 16.201 s.",
      "From 14.203 s to 15.015 s, 812 ms, both acted as holder.",
      "At 14.460 s client 7 wrote (#911); the resource accepted the write.",
      "At 14.640 s client 3 wrote (#917); the resource accepted the write.",
      "At 14.960 s client 3 wrote (#928); it is unknown whether the write took effect."};
  EXPECT_EQ(facts_of(told.finding, &timeline), expected);
}

// Counted from a waiter's request it may be over before the grant: then it is irrelevant.
TEST(Narration, PromiseOverBeforeTheGrantIsOmitted) {
  const Told told;
  Timeline timeline = made_up::overlap_timeline();
  for (Span& span : timeline.spans) {
    span.doubts.waited = true;
    span.lease_end_ns = span.from_ns - 1;
  }
  const auto facts = facts_of(told.finding, &timeline);
  EXPECT_EQ(
      facts.at(0),
      "Client 3 held \"orders\" from 12.700 s (#881) to 15.015 s (#930). The end of its lease is unknown: its turn "
      "may have come later.");
}

TEST(Narration, UnknownEndOfALeaseIsOmitted) {
  const Told told;
  Timeline timeline = made_up::overlap_timeline();
  for (Span& span : timeline.spans) span.doubts.renews_unseen = true;
  const auto facts = facts_of(told.finding, &timeline);
  EXPECT_EQ(facts.at(0),
            "Client 3 held \"orders\" from 12.700 s (#881) to 15.015 s (#930). It was promised until 14.200 s, 815 ms "
            "before it stopped acting as holder, counted from its request; the lock may have renewed it by itself, "
            "which holdfast cannot see.");
  EXPECT_TRUE(facts.at(2).ends_with("It was promised until 16.201 s at least.")) << facts.at(2);
}

TEST(Narration, UsesTheCheckersWordsWithoutATimeline) {
  const Told told;
  const Timeline elsewhere;
  const std::vector<std::string> expected{made_up::overlap_witness().text};
  EXPECT_EQ(facts_of(told.finding, nullptr), expected);
  EXPECT_EQ(facts_of(told.finding, &elsewhere), expected);
}

TEST(Narration, UnmetExpectationsNameResultAndReason) {
  Cell cell;
  cell.lock = "get_lock";
  cell.scenario = "none";
  cell.outcome = Outcome::missed;
  TrialResult& trial = cell.trials.emplace_back();
  trial.outcome = Outcome::missed;
  trial.mismatches = {{"mutual_exclusion", "violated:overrun", "holds"}};
  trial.verdict.properties.resize(2);
  trial.verdict.properties[0].property = "mutual_exclusion";
  trial.verdict.properties[0].judgement = Judgement::holds;
  trial.verdict.properties[1].property = "fencing";
  trial.verdict.properties[1].judgement = Judgement::not_applicable;
  trial.verdict.properties[1].reason = "the lock does not promise this";
  EXPECT_EQ(headline(finding_of(cell)), "get_lock under none: mutual_exclusion: expected violated:overrun, seen holds");
  EXPECT_EQ(narrate(finding_of(cell), nullptr).remedy, remedy_of(Outcome::missed, Judgement::holds));
  trial.mismatches.push_back({"fencing", "violated", "not_applicable"});
  EXPECT_EQ(headline(finding_of(cell)),
            "get_lock under none: mutual_exclusion: expected violated:overrun, seen holds; fencing: expected violated, "
            "seen not_applicable (the lock does not promise this)");
  EXPECT_EQ(narrate(finding_of(cell), nullptr).remedy, remedy_of_not_applicable());
}

TEST(Narration, SimulatedClientsHaveNoTimes) {
  RunVerdict run = made_up::failing_run().run;
  Finding finding = assess(run).severest;
  Witness explored;
  explored.key = "orders";
  explored.text = "A released B's lock; schedule: A +2.6s B A";
  finding.witness = &explored;
  EXPECT_EQ(headline(finding), finding.cell->lock + " under " + finding.cell->scenario + ": " + explored.text);
  EXPECT_EQ(headline(finding).find("0.000"), std::string::npos);
}

TEST(Narration, NamesTheClientThatReleasedAndTheOwner) {
  const auto in = made_up::failing_run();
  Finding found = assess(in.run).severest;
  PropertyVerdict property = *found.property;
  property.property = "ownership";
  Witness witness{"orders", "foreign_release", {}, {3, 1}, 1'000'000, 2'000'000, ""};
  found.property = &property;
  found.witness = &witness;
  EXPECT_NE(headline(found).find(": client 3 released client 1's lock \"orders\" ("), std::string::npos)
      << headline(found);
  witness.clients = {3};
  EXPECT_NE(headline(found).find(": a client released another client's lock \"orders\" ("), std::string::npos)
      << headline(found);
}

TEST(Narration, SeparatesProvenFromSuggested) {
  const Told told;
  const Narration n = narrate(told.finding, nullptr);
  EXPECT_EQ(n.proven,
            "the overlap (all times are from one clock): the earlier holder kept acting after its lease had expired");
  EXPECT_EQ(n.suggestion, suggested_cause({.property = "mutual_exclusion", .kind = "overrun"}));
  EXPECT_FALSE(n.suggestion.empty());
  EXPECT_TRUE(suggested_cause({.property = "unheard_of", .kind = ""}).empty());
}

CauseFinding skewed(CauseState state, int held, int judged) {
  return {"resource", "client_skew", true, {"client_skew"}, state, held, judged, "", {}};
}

TEST(Narration, FaultIsTheCauseOnlyIfControlsConfirmIt) {
  const auto said = [](const CauseFinding* cause) {
    return suggested_cause({.property = "resource", .kind = "client_skew", .fenced = false, .cause = cause});
  };
  EXPECT_TRUE(said(nullptr).starts_with("client_skew is suspected but not confirmed: no controls")) << said(nullptr);
  const CauseFinding confirmed = skewed(CauseState::confirmed, 5, 5);
  EXPECT_TRUE(said(&confirmed).starts_with("client_skew: 5 of 5 controls without client_skew held."))
      << said(&confirmed);
  EXPECT_NE(said(&confirmed).find("decides by a client's clock"), std::string::npos);
  EXPECT_EQ(suggestion_label({"resource", "client_skew", false, &confirmed}), "Cause, confirmed");
  const CauseFinding refuted = skewed(CauseState::unconfirmed, 1, 2);
  EXPECT_TRUE(said(&refuted).starts_with("client_skew: only 1 of 2 controls")) << said(&refuted);
  EXPECT_EQ(said(&refuted).find("client's clock"), std::string::npos) << "no advice of a cause that it is not";
  EXPECT_EQ(suggestion_label({"resource", "client_skew", false, &refuted}), "Not the cause");
  const CauseFinding open = skewed(CauseState::open, 2, 2);
  EXPECT_TRUE(said(&open).starts_with("client_skew is suspected but not confirmed: 2 of 2")) << said(&open);
}

// "0 of 0 held" reads as if something had been tried.
TEST(Narration, MissingControlsAreStatedInWords) {
  const auto said = [](const CauseFinding& cause) {
    return suggested_cause({.property = "resource", .kind = "client_skew", .fenced = false, .cause = &cause});
  };
  CauseFinding none = skewed(CauseState::open, 0, 0);
  none.note = "the time budget of 9s was over";
  EXPECT_TRUE(
      said(none).starts_with("client_skew is suspected but not confirmed: no control without client_skew was run (the "
                             "time budget of 9s was over). If it is the cause: "))
      << said(none);
  none.folders = {"cells/a/b/1/control-1"};
  EXPECT_NE(said(none).find("no control without client_skew was judged ("), std::string::npos) << said(none);
  CauseFinding unplanned = skewed(CauseState::unconfirmed, 0, 0);
  unplanned.faults.clear();
  EXPECT_NE(said(unplanned).find("the plan of this trial has no fault to remove. If it is the cause: "),
            std::string::npos)
      << said(unplanned);
  EXPECT_EQ(suggestion_label({"resource", "client_skew", false, &unplanned}), "Likely cause") << "nothing refuted it";
  TrialResult trial;
  trial.causes = {none, unplanned};
  for (const auto& line : cause_lines(trial)) EXPECT_EQ(line.find("0 of 0"), std::string::npos) << line;
  for (const auto& one : trial.causes) EXPECT_EQ(said(one).find("0 of 0"), std::string::npos) << said(one);
}

TEST(Narration, StatesWhetherTheFaultsAreNeeded) {
  CauseFinding cause{"resource", "algorithm", false, {"pause"}, CauseState::confirmed, 5, 5, "", {}};
  EXPECT_TRUE(
      suggested_cause({"resource", "algorithm", false, &cause}).ends_with("all 5 controls without a fault held."));
  cause.state = CauseState::unconfirmed;
  cause.held = 0;
  cause.judged = 1;
  EXPECT_TRUE(
      suggested_cause({"resource", "algorithm", false, &cause}).ends_with("only 0 of 1 controls without one held."));
}

TEST(Narration, FencedLockIsNotAdvisedTokens) {
  for (const char* kind : {"overrun", "late_write", "server_clock", "algorithm"}) {
    EXPECT_EQ(suggested_cause({.property = "resource", .kind = kind, .fenced = true}).find("compare fenced_lease"),
              std::string::npos)
        << kind;
  }
  EXPECT_NE(suggested_cause({.property = "resource", .kind = "overrun"}).find("compare fenced_lease"),
            std::string::npos);
}

TEST(Narration, ReportsRefusedLateWrites) {
  Told told;
  TrialResult trial = *told.finding.trial;
  told.finding.trial = &trial;
  Timeline timeline = made_up::overlap_timeline();
  for (auto& write : timeline.writes) {
    if (write.client == 3) write.result = "fail";
  }
  const auto last = [&](const Timeline* seen) { return facts_of(told.finding, seen).back(); };
  EXPECT_EQ(last(&timeline).find("refused: "), std::string::npos) << "the lock has no tokens";
  trial.verdict.properties.assign(2, {});
  for (auto& property : trial.verdict.properties) property.judgement = Judgement::holds;
  trial.verdict.properties[0].property = "fencing";
  trial.verdict.properties[1].property = "resource";
  trial.verdict.properties[0].coverage["stale_tokens_presented"] = 3;
  EXPECT_EQ(last(&timeline), "Client 3's late writes were refused: 2; the data is safe.");
  EXPECT_EQ(last(nullptr), "Writes with a stale token: 3, none accepted; the data is safe.");
  trial.verdict.properties[1].judgement = Judgement::violated;
  EXPECT_EQ(last(&timeline), "Client 3's late writes were refused: 2.") << "other data may be damaged";
  EXPECT_EQ(last(nullptr).find("safe"), std::string::npos);
  for (auto& span : timeline.spans) span.lease_end_ns = span.client == 3 ? span.to_ns : span.from_ns;
  for (auto& write : timeline.writes) write.result = write.client == 3 ? "fail" : "ok";
  EXPECT_EQ(last(&timeline), "Client 3's writes were refused inside its lease: 2.") << "it is no late writer";
  for (auto& write : timeline.writes) write.result = "fail";
  EXPECT_NE(last(&timeline).find(" Client 7's late writes were refused: "), std::string::npos) << last(&timeline);
}

TEST(Narration, ReportsControlResults) {
  TrialResult trial;
  trial.causes = {skewed(CauseState::confirmed, 5, 5), skewed(CauseState::unconfirmed, 1, 2)};
  trial.causes[1].note = "stopped there";
  trial.causes.push_back(trial.causes[0]);
  trial.causes[2].property = "fencing";
  trial.causes.push_back({"ownership", "foreign_release", false, {}, CauseState::unconfirmed, 0, 0, "x", {}});
  EXPECT_EQ(
      cause_lines(trial),
      (std::vector<std::string>{"client_skew (resource, fencing): confirmed, 5 of 5 held without client_skew",
                                "client_skew (resource): unconfirmed, 1 of 2 held without client_skew; stopped there",
                                "foreign_release (ownership): none needed, because the plan has no fault"}));
}

TEST(Finding, UnexpectedViolationComesFirst) {
  Told told;
  EXPECT_EQ(told.finding.cell->lock + "/" + told.finding.cell->scenario, "nowait_lease/skew");
  EXPECT_EQ(told.finding.property->property, "mutual_exclusion");
  for (auto& cell : told.in.run.cells) {
    if (cell.outcome == Outcome::unexpected) cell.outcome = Outcome::as_expected;
  }
  EXPECT_EQ(assess(told.in.run).severest.cell->outcome, Outcome::missed);
  for (auto& cell : told.in.run.cells) {
    if (cell.outcome != Outcome::caught) cell.outcome = Outcome::as_expected;
  }
  const Finding caught = assess(told.in.run).severest;
  EXPECT_EQ(caught.cell->outcome, Outcome::caught);
  EXPECT_NE(caught.witness, nullptr);
  EXPECT_EQ(assess(made_up::passing_run().run).severest.cell, nullptr);
  EXPECT_EQ(assess({}).severest.cell, nullptr);
}

// Two hold "orders" because a third had freed it: that comes first, whatever fault struck one of the two.
TEST(Finding, ForeignReleasePrecedesTheOverlapItCaused) {
  const Told told;
  TrialResult trial = *told.finding.trial;
  Witness freed;
  freed.key = "orders";
  freed.kind = "foreign_release";
  freed.clients = {0};
  freed.indices = {12, 13, 881, 890};
  freed.from_ns = 13'000'000'000;
  freed.to_ns = 13'010'000'000;
  freed.text = "Client 0 sent a release at 13.000 s, which was answered ok: client 0 released client 3's lock.";
  PropertyVerdict owners;
  owners.property = "ownership";
  owners.judgement = Judgement::violated;
  owners.kind = "foreign_release";
  owners.witnesses = {freed};
  trial.verdict.properties.push_back(owners);
  const Finding found = finding_of(*told.finding.cell, trial);
  EXPECT_EQ(found.property->property, "ownership");
  const Timeline timeline = made_up::overlap_timeline();
  const Narration n = narrate(found, &timeline);
  EXPECT_EQ(n.facts.at(0).text, freed.text);
  EXPECT_EQ(n.facts.at(1).text, "Then clients 3 and 7 both held \"orders\" for 812 ms (14.203 s to 15.015 s).");
  EXPECT_TRUE(n.suggestion.starts_with("a client released another client's lock")) << n.suggestion;
  EXPECT_EQ(n.label, "Likely cause");
  const auto instead = [&](auto change) {
    Witness& one = trial.verdict.properties.back().witnesses.front();
    one = freed;
    change(one);
    return finding_of(*told.finding.cell, trial).property->property;
  };
  EXPECT_EQ(instead([](Witness& w) { w.from_ns = 15'000'000'000; }), "mutual_exclusion") << "it came afterwards";
  EXPECT_EQ(instead([](Witness& w) { w.key = "others"; }), "mutual_exclusion");
  EXPECT_EQ(instead([](Witness& w) { w.indices = {12, 13}; }), "mutual_exclusion") << "of other holds";
  EXPECT_EQ(instead([](Witness& w) { w.kind = "lost_lock"; }), "mutual_exclusion") << "a consequence itself";
}

TEST(CausesOnce, CoverUnexpectedCellsOnly) {
  EXPECT_EQ(assess(made_up::failing_run().run).causes.size(), 4U);  // unavailable has no culprit
  EXPECT_TRUE(assess(made_up::passing_run().run).causes.empty());
}

Cell cell_of(const std::string& lock, const std::string& scenario) {
  Cell out;
  out.lock = lock;
  out.scenario = scenario;
  return out;
}

TEST(Rerun, NarrowsTheRunsOwnCommand) {
  RunVerdict run;
  run.seed = 7;
  const Cell cell = cell_of("upsert_lease+found_rows", "pause");
  run.command = "holdfast run scenarios/quick --only upsert_lease/* --repeat 3";
  EXPECT_EQ(rerun_command(run, cell),
            "holdfast run scenarios/quick --repeat 3 --seed 7 --only upsert_lease+found_rows/pause");
  run.command = "holdfast explore upsert_lease";
  EXPECT_EQ(rerun_command(run, cell), run.command) << "which has no cells";
  run.command = "holdfast explore --all --budget 9s --shard 1/2";
  EXPECT_EQ(rerun_command(run, cell_of("ip_lease", kExplored)), "holdfast explore ip_lease --budget 9s");
  run.command = "'/opt/hold fast/run' run x --only=a/b --seed 9";
  EXPECT_EQ(rerun_command(run, cell), "'/opt/hold fast/run' run x --seed 9 --only upsert_lease+found_rows/pause");
  Cell open = cell;  // the same seed would show the same again, but not every command takes several
  open.outcome = Outcome::undecided;
  EXPECT_EQ(rerun_command(run, open), "'/opt/hold fast/run' run x --seeds 1..5 --only upsert_lease+found_rows/pause");
  RunVerdict libraries = run;
  libraries.command = "holdfast libraries run pottery --seed 9";
  EXPECT_EQ(rerun_command(libraries, open),
            "holdfast libraries run pottery --seed 9 --only upsert_lease+found_rows/pause");
  run.command = "holdfast run x --only=a/b --seed 9";
  EXPECT_EQ(rerun_command(run, cell), "holdfast run x --seed 9 --only upsert_lease+found_rows/pause");
  for (const char* word : {"a b/c", "it's/c", "it's a/c d", "/"}) {
    run.command =
        ShellCommand("holdfast").literal("run x").flag("--only", word).word("--only=" + std::string(word)).text();
    run.command += " --seed 9";
    EXPECT_EQ(rerun_command(run, cell), "holdfast run x --seed 9 --only upsert_lease+found_rows/pause") << word;
  }
}

// The libraries bring locks and manifests.
TEST(Rerun, LibraryCommandNeedsNoManifest) {
  RunVerdict run;
  run.command = "./run libraries run redis_py --only redis_py_lock/none --repeat 5 --seed 9";
  const Cell cell = cell_of("redis_py_lock", "pause");
  EXPECT_EQ(rerun_command(run, cell), "./run libraries run redis_py --repeat 5 --seed 9 --only redis_py_lock/pause");
  EXPECT_EQ(stored_command(run.command, "holdfast"), "holdfast" + run.command.substr(5));
}

// `try` adds what it searched to its run, which has no such cell.
TEST(Rerun, SearchedCellGetsASearchCommand) {
  RunVerdict run;
  run.command = "./run run generated --lock my_lock --seed 7 --lock-file 'my lock.sql' --repeat 2";
  EXPECT_EQ(rerun_command(run, cell_of("my_lock", kExplored)), "./run explore my_lock --lock-file 'my lock.sql'");
  EXPECT_NE(rerun_command(run, cell_of("my_lock", "pause")).find("--only my_lock/pause"), std::string::npos);
  run.command = "./run run generated --lock mine --adapter 'a b/lock.json'";
  EXPECT_EQ(rerun_command(run, cell_of("mine", kExplored)), "./run explore mine --adapter 'a b/lock.json'");
  EXPECT_EQ(search_command(run, cell_of("mine", "pause")), "./run explore mine --adapter 'a b/lock.json'");
  for (const char* none :
       {"holdfast libraries run redis_py", "holdfast run x --target mysql://h/d", "holdfast replay x"}) {
    run.command = none;
    EXPECT_EQ(search_command(run, cell_of("mine", "pause")), "");
  }
}

TEST(Rerun, SuiteNameCannotBecomeAFlag) {
  RunVerdict run;
  run.suite = "--server=mysqld=/tmp/evil.sh";
  EXPECT_EQ(rerun_command(run, cell_of("a", "b")), "holdfast run ./--server=mysqld=/tmp/evil.sh --seed 0 --only a/b");
}

TEST(Rerun, StoredCommandIsRequoted) {
  EXPECT_EQ(stored_command("evil run x;reboot '$(y)' \\; z", "/opt/a;b/run"),
            "'/opt/a;b/run' run 'x;reboot' '$(y)' ';' z");
  EXPECT_EQ(stored_command("reboot", "holdfast"), "");
}

TEST(Rerun, QuotesShellCharacters) {
  EXPECT_EQ(ShellCommand("a/b+c.d").text(), "a/b+c.d");
  EXPECT_EQ(ShellCommand("a; rm -rf 'x'").text(), "'a; rm -rf '\\''x'\\'''");
  EXPECT_EQ(ShellCommand("").text(), "''");
  EXPECT_EQ(ShellCommand("$(x)").text(), "'$(x)'");
}

TEST(Clients, AreListedAsInASentence) {
  EXPECT_EQ(clients_text({}), "no client");
  EXPECT_EQ(clients_text({3}), "client 3");
  EXPECT_EQ(clients_text({3, 7}), "clients 3 and 7");
  EXPECT_EQ(clients_text({1, 2, 5}), "clients 1, 2 and 5");
  EXPECT_EQ(clients_text({0, 0}), "client 0");
  EXPECT_EQ(clients_text({0, 0, 1}), "clients 0, 0 and 1");
}

}  // namespace
}  // namespace holdfast
