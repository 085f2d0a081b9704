#include "reports/assessment_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/load_flaws.hpp"
#include "tests/reports/made_up_answer.hpp"

namespace holdfast {
namespace {

const FoundSchedule kBothInsert{"two_holders", "lease_exclusion",
                                "algorithm",   "between select and insert of one client",
                                "A A B B B A", "two_holders.replay"};
const FoundSchedule kAfterRead{"foreign_release",     "ownership",
                               "algorithm",           "between read and release of one client",
                               "A A A +2.6s B B B A", "foreign_release.replay"};
const FoundSchedule kLateRelease{"foreign_release",
                                 "ownership",
                                 "reply_lost",
                                 "late arrival of another's release",
                                 "A A!late B B A!arrives",
                                 "foreign_release.2.replay",
                                 {{"partition", "delay"}}};
const FoundSchedule kClockAhead{
    "two_holders", "lease_exclusion", "client_skew",    "acquire of one client, whose clock",
    "A!ahead B A", "ahead.replay",    {{"client_skew"}}};

std::string cause_in(const Made& made, const std::vector<FoundSchedule>& schedules) {
  const RunAssessment out = assessed({made}, schedules);
  if (out.findings.size() != 1) return "not one finding";
  return out.findings[0].schedule ? out.findings[0].schedule->cause : "";
}

TEST(LockFindings, IncludeTheExactCauseFromASearch) {
  const Made none = Made("none").violated("lease_exclusion", "algorithm");
  EXPECT_EQ(cause_in(none, {kBothInsert}), kBothInsert.cause);
  EXPECT_EQ(cause_in(none, {}), "");
  EXPECT_EQ(cause_in(none, {kClockAhead, kBothInsert}), kBothInsert.cause) << "no fault struck";
  EXPECT_EQ(cause_in(Made("none").violated("progress", "stuck"), {kBothInsert}), "") << "another promise";
}

TEST(LockFindings, MatchActionsAgainstOwnersByName) {
  Made paused =
      Made("pause", "pause").violated("ownership", "foreign_release").violated("lease_exclusion", "algorithm");
  EXPECT_EQ(assessed({paused}).findings.at(0).kind, "foreign_release");
  EXPECT_EQ(cause_in(paused, {kBothInsert, kLateRelease, kAfterRead}), kAfterRead.cause);
  EXPECT_EQ(cause_in(paused, {kLateRelease}), "") << "nothing was cut off";
  const Made cut = Made("cut", "partition").violated("ownership", "foreign_release");
  EXPECT_EQ(cause_in(cut, {kLateRelease}), kLateRelease.cause);
}

TEST(LockFindings, ScheduleOfAnotherFaultIsNotTheLeadsCause) {
  const FoundSchedule lost{
      "stuck",    "progress",     "stuck",          "lost reply of one's acquire",
      "A A!lost", "stuck.replay", {{"reply_lost"}}, "acquire takes effect, but its client is not granted the lock."};
  const Made killed = Made("kill", "kill").violated("progress", "stuck");
  const Made cut = Made("reply_lost", "reply_lost").violated("progress", "stuck");
  EXPECT_FALSE(assessed({killed, cut}, {lost}).findings.at(0).schedule) << "no reply was lost in the lead";
  EXPECT_TRUE(assessed({cut, killed}, {lost}).findings.at(0).schedule);
}

TEST(LockFindings, KillAloneThatLeavesTheLockStuckNamesTheFlaw) {
  const Made slow = Made("slow_commits").violated("progress", "stuck");
  const Made cut = Made("cut", "partition").violated("progress", "stuck");
  const Made killed = Made("kill_granted_after_acquire", "kill").violated("progress", "stuck");
  EXPECT_FALSE(assessed({cut}).findings.at(0).flaw_is_known());
  EXPECT_FALSE(assessed({slow, killed}).findings.at(0).flaw_is_known()) << "it is stuck without a fault, too";
  EXPECT_FALSE(assessed({cut, killed}).findings.at(0).flaw_is_known()) << "the kill does not lead";
  const RunAssessment named = assessed({killed, cut});
  const LockFinding& dead = named.findings.at(0);
  EXPECT_EQ(dead.flaw, kLeftByTheDead);
  EXPECT_TRUE(dead.flaw_is_known());
  const Made paused = Made("pause", "pause").violated("lease_exclusion", "algorithm");
  for (const auto& one : assessed({paused, killed}).findings) {
    EXPECT_EQ(one.kind == "stuck", one.flaw == kLeftByTheDead) << one.kind;
  }
}

TEST(LockFindings, ConfirmedFaultNeedsAScheduleWithIt) {
  Made skewed = Made("skew", "client_skew").violated("lease_exclusion", "client_skew");
  EXPECT_EQ(cause_in(skewed, {kBothInsert}), kBothInsert.cause) << "a fault that is only suspected excludes nothing";
  CauseFinding cause{"lease_exclusion", "client_skew", true, {"client_skew"}, CauseState::confirmed, 5, 5, "", {}};
  skewed.trial().causes = {cause};
  EXPECT_EQ(cause_in(skewed, {kBothInsert}), "");
  EXPECT_EQ(cause_in(skewed, {kBothInsert, kClockAhead}), kClockAhead.cause);
}

TEST(LockFindings, LapseViolationsHaveNoSchedule) {
  const Made late = Made("pause", "pause").violated("mutual_exclusion", "overrun", true);
  FoundSchedule naive = kBothInsert;
  naive.property = "mutual_exclusion";
  EXPECT_EQ(cause_in(late, {naive}), "");
}

TEST(LockFindings, GuessIsHiddenBesideAKnownCause) {
  const Made none = Made("none").violated("lease_exclusion", "algorithm");
  const SeeAgain again{"page", "again", "", {"holdfast replay run none"}, {"holdfast replay two_holders.replay"}};
  const auto with_guess = [](RunAssessment assessment) {
    assessment.findings.at(0).told.suggestion = "two insert at once";
    return assessment;
  };
  const std::string guessed = assessment_text(with_guess(assessed({none})), again, false).text();
  EXPECT_NE(guessed.find("likely:"), std::string::npos) << guessed;
  const RunAssessment known = with_guess(assessed({none}, {kBothInsert}));
  const std::string text = assessment_text(known, again, false).text();
  EXPECT_NE(text.find("cause:    proved by explore: " + kBothInsert.cause), std::string::npos) << text;
  EXPECT_NE(text.find("schedule: A A B B B A · holdfast replay two_holders.replay"), std::string::npos) << text;
  EXPECT_EQ(text.find("likely:"), std::string::npos) << text;
  const auto told = assessment_json(known, again).at("findings").at(0).at("schedule");
  EXPECT_EQ(told.at("cause"), kBothInsert.cause);
  EXPECT_EQ(told.at("again"), again.schedules[0]);
  EXPECT_FALSE(assessment_json(assessed({none}), again).at("findings").at(0).contains("schedule"));
}

std::string text_of_findings(const std::vector<Made>& made, const std::vector<FoundSchedule>& schedules = {}) {
  return assessment_text(assessed(made, schedules), {}, false).text();
}

TEST(LockFindings, LoadNamesTheFlawIfItAloneBreaks) {
  const Made zones = Made("zones").violated("lease_exclusion", "algorithm");
  EXPECT_NE(
      text_of_findings({Made("none"), zones}).find("flaw:     the lock's times depend on the session's time zone"),
      std::string::npos);
  const auto shown_by = [](const std::vector<Made>& made) { return assessed(made).findings.at(0).flaw_of_load; };
  EXPECT_TRUE(shown_by({Made("keys_alike").violated("progress", "refused_free"),
                        Made("keys_apart").violated("progress", "refused_free")}));
  EXPECT_FALSE(shown_by({zones, Made("keys_alike").violated("lease_exclusion", "algorithm")})) << "one flaw in both?";
  EXPECT_FALSE(shown_by({zones, Made("pause", "pause").violated("lease_exclusion", "algorithm")}));
  EXPECT_TRUE(shown_by({Made("idle_jobs").violated("lease_exclusion", "algorithm"),
                        Made("pause", "pause").violated("lease_exclusion", "algorithm")}))
      << "who is stopped sends nothing either";
  EXPECT_FALSE(shown_by({Made("idle_jobs").violated("lease_exclusion", "algorithm"),
                         Made("cut", "partition").violated("lease_exclusion", "algorithm")}));
  EXPECT_FALSE(shown_by({zones, Made("none").violated("lease_exclusion", "algorithm")})) << "it breaks anywhere";
}

TEST(LockFindings, ScheduleThatShowsTheMistakeReplacesTheGuess) {
  const Made none = Made("none").violated("lease_exclusion", "algorithm");
  FoundSchedule schedule = kBothInsert;
  schedule.flaw = "select and insert are two steps.";
  EXPECT_EQ(assessed({none}, {schedule}).findings.at(0).flaw, schedule.flaw);
  const std::string text = text_of_findings({none}, {schedule});
  EXPECT_NE(text.find("flaw:     select and insert are two steps."), std::string::npos) << text;
  EXPECT_NE(assessed({none}, {kBothInsert}).findings.at(0).flaw, schedule.flaw);
  const Made nothing = Made("none").violated("lease_exclusion", "locked_nothing");
  EXPECT_NE(assessed({nothing}, {schedule}).findings.at(0).flaw, schedule.flaw) << "its kind names the flaw";
}

TEST(LockFindings, StatementsThatOverlapExplainWhatNoOrderOfThemDoes) {
  const auto flaw_of = [](const char* load, Judgement searched, const std::vector<FoundSchedule>& found = {}) {
    Made search(kExplored);
    search.cell.suite.clear();
    search.trial().verdict.judgement = searched;
    return assessed({Made(load).violated("lease_exclusion", "algorithm"), search}, found).findings.at(0).flaw;
  };
  const std::string overlap = "two acquires that run in the server at the same time interfere";
  EXPECT_NE(flaw_of("slow_commits", Judgement::holds).find(overlap), std::string::npos);
  EXPECT_EQ(flaw_of("slow_commits", Judgement::undecided).find(overlap), std::string::npos) << "not all were searched";
  EXPECT_EQ(flaw_of("none", Judgement::holds).find(overlap), std::string::npos) << "its statements hardly overlap";
  EXPECT_EQ(flaw_of("slow_commits", Judgement::holds, {kBothInsert}).find(overlap), std::string::npos);
}

TEST(LockFindings, RequestThatOutlivesItsCancelIsNamed) {
  const auto flaw_of = [](const std::vector<Made>& made) { return assessed(made).findings.at(0).flaw; };
  const auto stuck = [](const char* load) { return Made(load, "hold_request").violated("progress", "stuck"); };
  const std::string cancelled = "a request of a cancelled acquire is granted later";
  EXPECT_NE(flaw_of({stuck("cancelled_in_transit")}).find(cancelled), std::string::npos);
  EXPECT_EQ(flaw_of({stuck("hold_acquire_request")}).find(cancelled), std::string::npos);
}

TEST(LockFindings, RenewalsThatDoNotGoOnAreNamed) {
  const auto flaw_of = [](const std::vector<const char*>& loads) {
    std::vector<Made> made;
    for (const char* load : loads) made.push_back(Made(load, "partition").violated("mutual_exclusion", "overrun"));
    return assessed(made).findings.at(0).flaw;
  };
  const std::string renewals = "renewals do not go on after a cut that ended inside the lease";
  EXPECT_NE(flaw_of({"long_job_cut"}).find(renewals), std::string::npos);
  EXPECT_EQ(flaw_of({"cut_granted"}).find(renewals), std::string::npos) << "the cut lasts longer than the lease";
  EXPECT_EQ(flaw_of({"long_job_cut", "cut_granted"}).find(renewals), std::string::npos);
}

// A special load comes first, which a search cannot have met; a later case of the same flaw brings its schedule.
TEST(LockFindings, ScheduleOfALaterCaseProvesTheFinding) {
  const Made own = Made("own_leases").violated("ownership", "foreign_release");
  const Made paused = Made("pause", "pause").violated("ownership", "foreign_release");
  const RunAssessment both = assessed({own, paused}, {kAfterRead});
  ASSERT_EQ(both.findings.size(), 1U);
  ASSERT_TRUE(both.findings[0].schedule.has_value());
  EXPECT_EQ(both.findings[0].schedule->cause, kAfterRead.cause);
  EXPECT_FALSE(assessed({own}, {kAfterRead}).findings.at(0).schedule.has_value());
}

TEST(LockFindings, CasesOfOneScheduleAreOneFinding) {
  const Made paused = Made("pause", "pause").violated("ownership", "foreign_release");
  Made cut = Made("cut", "partition").violated("ownership", "partition");
  EXPECT_EQ(assessed({paused, cut}, {kAfterRead}).findings.size(), 1U);
  EXPECT_EQ(assessed({paused, cut}, {}).findings.size(), 2U);
  cut.because("partition", CauseState::confirmed);
  EXPECT_EQ(assessed({paused, cut}, {kAfterRead}).findings.size(), 2U) << "controls say that it is the partition";
}

TEST(LockFindings, ActionThatNeedsNoFaultExplainsSchedulesWithOne) {
  const Made own = Made("own_leases").violated("ownership", "foreign_release");
  Made cut = Made("cut", "partition").violated("ownership", "partition");
  cut.because("partition", CauseState::confirmed);
  const RunAssessment both = assessed({own, cut}, {kLateRelease});
  ASSERT_EQ(both.findings.size(), 1U);
  EXPECT_EQ(both.findings[0].needs, "no fault");
  const Made paused = Made("pause", "pause").violated("ownership", "foreign_release");
  EXPECT_EQ(assessed({paused, cut}, {kLateRelease}).findings.size(), 2U) << "each needs its own fault";
}

TEST(LockFindings, LoadsThatShareAnOwnerNameItTogether) {
  const auto flaw_of = [](const std::vector<const char*>& loads) {
    std::vector<Made> made;
    for (const std::string load : loads) {
      Made one = load == "release_after_lease" ? Made(load, "pause") : Made(load);  // as the suite has it
      made.push_back(one.violated("lease_exclusion", "algorithm"));
    }
    return assessed(made).findings.at(0).flaw;
  };
  const std::string owner = "takes several clients for the same owner";
  EXPECT_NE(flaw_of({"threads", "shared_address"}).find(owner), std::string::npos);
  EXPECT_NE(flaw_of({"threads", "release_after_lease"}).find(owner), std::string::npos);
  EXPECT_EQ(flaw_of({"threads"}).find(owner), std::string::npos) << "its own reason";
  EXPECT_EQ(flaw_of({"release_after_lease"}).find(owner), std::string::npos);
  EXPECT_EQ(flaw_of({"threads", "shared_address", "zones"}).find(owner), std::string::npos);
}

TEST(LockFindings, ReadersNameALostReader) {
  const auto flaw_of = [](const std::vector<const char*>& loads) {
    std::vector<Made> made;
    for (const std::string load : loads) {
      Made one = load == "reader_killed" ? Made(load, "kill") : Made(load);
      made.push_back(one.violated("lease_exclusion", "algorithm"));
    }
    return assessed(made).findings.at(0).flaw;
  };
  const std::string reader = "loses sight of a reader";
  EXPECT_NE(flaw_of({"readers", "reader_killed"}).find(reader), std::string::npos);
  EXPECT_NE(flaw_of({"readers"}).find(reader), std::string::npos);
  EXPECT_EQ(flaw_of({"readers", "none"}).find(reader), std::string::npos) << "readers have no part in `none`";
}

TEST(LockFindings, LongReadersNameTheirRenewals) {
  const Made readers = Made("long_readers").violated("lease_exclusion", "algorithm");
  EXPECT_NE(assessed({readers}).findings.at(0).flaw.find("a reader's renewals do not keep"), std::string::npos);
}

TEST(LockFindings, TokensThatFallNameTheirCounter) {
  Made none = Made("none").fenced(1).violated("fencing", "algorithm");
  EXPECT_NE(assessed({none}).findings.at(0).flaw.find("a single counter"), std::string::npos);
}

// The schedule shows which action of a client it was.
TEST(LockFindings, ScheduleNamesTheActionBehindTwoHolders) {
  const Made paused = Made("pause", "pause").violated("ownership", "algorithm");
  const LockFinding named = assessed({paused}, {kAfterRead}).findings.at(0);
  EXPECT_EQ(named.kind, "foreign_release");
  EXPECT_NE(named.flaw.find("must name, in one statement, the key and an owner"), std::string::npos) << named.flaw;
  EXPECT_EQ(assessed({paused}).findings.at(0).kind, "algorithm");
}

TEST(LockFindings, StartOfAClientIsNamedWhereOnlyKillsBreak) {
  const auto flaw_of = [](const std::vector<std::pair<const char*, const char*>>& cells) {
    std::vector<Made> made;
    for (const auto& [name, fault] : cells) made.push_back(Made(name, fault).violated("lease_exclusion", "algorithm"));
    return assessed(made).findings.at(0).flaw;
  };
  const std::string start = "a client that starts frees or resets what others hold";
  EXPECT_NE(flaw_of({{"start_beside_holder", "kill"}}).find(start), std::string::npos);
  EXPECT_NE(flaw_of({{"kill_before_lock", "kill"}, {"start_beside_holder", "kill"}}).find(start), std::string::npos);
  EXPECT_EQ(flaw_of({{"kill_before_lock", "kill"}}).find(start), std::string::npos);
  EXPECT_EQ(flaw_of({{"pause_before_lock", "pause"}, {"start_beside_holder", "kill"}}).find(start), std::string::npos);
}

TEST(LockFindings, KindThatNamesTheFlawIsNotAGuess) {
  const Made fraction = Made("fraction").violated("mutual_exclusion", "waited_out");
  const std::string text = text_of_findings({Made("none"), fraction});
  EXPECT_NE(text.find("flaw:     a waiter's lease runs while it waits"), std::string::npos) << text;
  EXPECT_FALSE(assessed({fraction}).findings.at(0).flaw_of_load);
  const Made none = Made("none").violated("lease_exclusion", "locked_nothing");
  const std::string both = text_of_findings({none}, {kBothInsert});
  const std::size_t flaw = both.find("flaw:     the statements of a grant found no row");
  ASSERT_NE(flaw, std::string::npos) << both;
  EXPECT_LT(flaw, both.find("cause:    proved by")) << "the flaw first";
}

// If every attempt errs for keys of one sort alone, the load explains it.
TEST(LockFindings, LoadExplainsPermanentErrors) {
  const LockFinding alike = assessed({Made("keys_alike").violated("progress", "always_errs")}).findings.at(0);
  EXPECT_TRUE(alike.flaw_of_load);
  EXPECT_NE(alike.flaw.find("give it the type VARBINARY"), std::string::npos) << alike.flaw;
  EXPECT_FALSE(assessed({Made("none").violated("progress", "always_errs")}).findings.at(0).flaw_of_load);
}

// Two that hold at once also free each other's lock: that they held at once came first.
TEST(LockFindings, ForeignReleaseAfterAnExplainedOverlapIsNotACause) {
  Made skewed = Made("skew", "client_skew").violated("ownership", "foreign_release");
  skewed.violated("lease_exclusion", "client_skew");
  for (auto& property : skewed.trial().verdict.properties) {
    Witness witness;
    witness.kind = property.kind;
    witness.from_ns = property.property == "ownership" ? 200 : 100;
    property.witnesses = {witness};
  }
  EXPECT_EQ(assessed({skewed}).findings.at(0).kind, "client_skew");
}

TEST(LockFindings, ChanceFindDoesNotHideTheMainFault) {
  const auto kind_where = [](std::int64_t by_the_clock, const std::string& fault) {
    Made skewed = Made("clock_ahead", fault).violated("lease_exclusion", "algorithm");
    skewed.trial().verdict.properties.front().kinds = {{"algorithm", 2}, {"client_skew", by_the_clock}};
    return assessed({skewed}).findings.at(0).kind;
  };
  EXPECT_EQ(kind_where(51, "client_skew"), "client_skew");
  EXPECT_EQ(kind_where(1, "client_skew"), "algorithm");
  EXPECT_EQ(kind_where(51, ""), "algorithm") << "no fault was planned";
}

// A search has sessions in one zone: its schedule is another story.
TEST(LockFindings, SpecialLoadViolationsHaveNoSchedule) {
  EXPECT_EQ(cause_in(Made("zones").violated("lease_exclusion", "algorithm"), {kBothInsert}), "");
  EXPECT_EQ(cause_in(Made("crowd").violated("lease_exclusion", "algorithm"), {kBothInsert}), kBothInsert.cause);
}

TEST(LockFindings, SearchIsAttachedToTheFindingItExplains) {
  Made searched = Made(kExplored).violated("lease_exclusion", "algorithm");
  searched.cell.suite.clear();
  const Made zones = Made("zones").violated("lease_exclusion", "algorithm");
  const Made paused = Made("pause", "pause").violated("ownership", "foreign_release");
  const RunAssessment both = assessed({zones, paused, searched}, {kAfterRead});
  ASSERT_EQ(both.findings.size(), 2U);
  EXPECT_TRUE(both.findings[0].flaw_of_load);
  EXPECT_EQ(names_of(both.findings[1].cases), (std::vector<std::string>{"pause", kExplored}));
  EXPECT_EQ(assessed({zones, searched}).findings.size(), 2U) << "it has one zone";
}

TEST(LockFindings, SeparateTheFlawFromItsConditions) {
  const Made cut =
      Made("cut", "partition").violated("ownership", "partition").because("partition", CauseState::confirmed);
  const LockFinding found = assessed({cut}).findings.at(0);
  EXPECT_EQ(found.needs, "partition (5 of 5 controls without it held)");
  EXPECT_EQ(found.flaw.find("controls"), std::string::npos) << found.flaw;
  const std::string text = text_of_findings({cut});
  EXPECT_NE(text.find("flaw:     " + found.flaw.substr(0, 30)), std::string::npos) << text;
  EXPECT_NE(text.find("needs:    " + found.needs), std::string::npos) << text;
  const Made open = Made("cut", "partition").violated("ownership", "partition").because("partition", CauseState::open);
  EXPECT_EQ(assessed({open}).findings.at(0).needs, "");
  EXPECT_EQ(assessed({Made("none").violated("progress", "stuck")}).findings.at(0).needs, "no fault");
}

// Violations are the first thing that a reader wants.
TEST(LockFindings, PrecedeUntriedParts) {
  Made open("own_leases");
  open.trial().outcome = open.cell.outcome = Outcome::undecided;
  open.trial().verdict.properties = {judged("lease_exclusion", Judgement::undecided)};
  open.trial().verdict.properties[0].reason = "the machine stalled";
  RunVerdict run = run_of({Made("none").violated("lease_exclusion", "algorithm"), open});
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) run.not_tried.push_back({"my_lock", name, "no time"});
  run.not_tried.push_back({"my_lock", "zones", std::string(200, 'x')});
  for (const char* name : {"leases", "variants"}) run.not_tried.push_back({"my_lock", name, "there is none", {}, true});
  const RunAssessment found = assess(run);
  const std::string text = assessment_text(found, {}, false).text();
  const auto at = text.find("  not tried: a, b, c, d and 2 more (no time)\n");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_GT(at, text.find("1. two holders at once")) << text;
  EXPECT_NE(text.find("  not known: own_leases (the machine stalled)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  not tried: zones\n             (xxx"), std::string::npos) << text;
  std::size_t reasons = 0;
  for (std::size_t i = text.find("not tried:"); i != std::string::npos; i = text.find("not tried:", i + 1)) ++reasons;
  EXPECT_EQ(reasons, 2U) << "a line for each reason\n" << text;
  EXPECT_NE(text.find("  left out:  2 scenarios, which do not apply"), std::string::npos) << text;
  EXPECT_NE(text.find("the report and --json list"), std::string::npos) << text;
  const auto json = assessment_json(found, {}).at("unknown");
  EXPECT_EQ(json.at(1).at("cases").size(), 6U);
  EXPECT_EQ(json.at(2).at("why"), std::string(200, 'x'));
  EXPECT_TRUE(json.at(0).at("tried").get<bool>());
  EXPECT_TRUE(json.at(2).at("needed").get<bool>());
  EXPECT_FALSE(json.at(3).at("needed").get<bool>());
}

}  // namespace
}  // namespace holdfast
