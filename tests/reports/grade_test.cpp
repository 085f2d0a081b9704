// The grade of a lock: what makes it broken, not known, as safe as a lease can be, and safe.
#include "reports/grade.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/property_words.hpp"
#include "reports/assessment_text.hpp"
#include "reports/lock_answer.hpp"
#include "tests/reports/has.hpp"
#include "tests/reports/made_up_answer.hpp"

namespace holdfast {
namespace {

// A cell whose lock is judged by its promises, and whose fault struck so many holders.
Made struck(const std::string& scenario, const std::string& fault = "", std::int64_t holders = 1) {
  Made out(scenario, fault);
  out.cell.expected = {{"mutual_exclusion", "allowed:overrun"}, {"resource", "allowed:overrun"}};
  for (auto& proof : out.trial().faults) {
    proof.holders = holders;
    proof.struck.granted = holders;
    proof.struck.refused = holders == 0 ? 1 : 0;
  }
  return out;
}

std::vector<Made> all_struck() {
  return {struck("none"), struck("kill_holder", "kill"), struck("pause_holder", "pause"),
          struck("reply_lost_acquire", "reply_lost"), struck("cut_holder", "partition")};
}

Made lapsed() {
  Made out = struck("lapses", "pause").violated("mutual_exclusion", "overrun", true);
  out.violated("resource", "overrun", true);
  out.trial().outcome = out.cell.outcome = Outcome::allowed;
  return out;
}

Made broken() {
  return struck("crowd").violated("lease_exclusion", "algorithm");
}

LockGrade grade_in(RunVerdict run) {
  run.suite = "generated";
  return assessed(run).locks.at(0).grade;
}

LockGrade grade_in(const std::vector<Made>& made) {
  return grade_in(run_of(made));
}

int exit_code_of(const std::vector<Made>& made) {
  return assessed(made).exit_code;
}

TEST(Grade, IsSafeIfAllFourFaultsStruckAHolderAndNothingBroke) {
  EXPECT_EQ(grade_in(all_struck()).grade, Grade::safe);
  EXPECT_TRUE(grade_in(all_struck()).missing.empty());
  EXPECT_EQ(exit_code_of(all_struck()), kExitAsExpected);
  EXPECT_EQ(headline_text(assessed(all_struck())), "safe");
}

// A lock cannot keep what the server loses. A lease that was over beside it counts.
TEST(Grade, IsNotLoweredByWhatTheServerLost) {
  const auto with = [](const std::string& kind_of_data) {
    auto made = all_struck();
    made.push_back(struck("entries_dropped", "server_flush").violated("mutual_exclusion", "server_lost_state", true));
    made.back().violated("resource", kind_of_data, true);
    made.back().trial().outcome = made.back().cell.outcome = Outcome::allowed;
    return made;
  };
  EXPECT_EQ(grade_in(with("server_lost_state")).grade, Grade::safe);
  const std::string answer = lock_answers(assessed(with("server_lost_state"))).at(0);
  EXPECT_TRUE(has(answer, "holdfast deleted all entries at the server")) << answer;
  EXPECT_EQ(grade_in(with("overrun")).grade, Grade::lease);
  EXPECT_EQ(grade_in(with("session_lost")).grade, Grade::lease);
}

TEST(Grade, IsUnknownUnlessAllFourFaultsStruck) {
  for (std::size_t without = 1; without < all_struck().size(); ++without) {
    auto made = all_struck();
    made.erase(made.begin() + static_cast<std::ptrdiff_t>(without));
    const LockGrade grade = grade_in(made);
    EXPECT_EQ(grade.grade, Grade::not_known) << without;
    EXPECT_EQ(grade.missing, std::vector<std::string>{grade.strikes.at(without - 1).needed});
    EXPECT_EQ(exit_code_of(made), kExitUndecided);
  }
}

TEST(Grade, CountsNoFaultThatStruckOnlyRefusals) {
  auto made = all_struck();
  made[3] = struck("reply_lost_acquire", "reply_lost", 0);
  EXPECT_EQ(grade_in(made).missing, std::vector<std::string>{"a lost reply to a granted acquire"});
  EXPECT_TRUE(has(lock_answers(assessed(made)).at(0), "A better grade needs a lost reply to a granted acquire."));
}

TEST(Grade, LostReplyOfARenewalDoesNotCountForAGrant) {
  auto made = all_struck();
  made[3].trial().faults.at(0).struck = {};
  EXPECT_EQ(grade_in(made).grade, Grade::not_known);
}

TEST(Grade, CountsNoFaultOfATrialThatWasNotJudged) {
  auto made = all_struck();
  made[1].trial().outcome = made[1].cell.outcome = Outcome::harness_error;
  EXPECT_EQ(grade_in(made).missing, std::vector<std::string>{"a kill of a holder"});
  EXPECT_EQ(exit_code_of(made), kExitHarness);
}

TEST(Grade, NamesASkippedFaultToRun) {
  auto made = all_struck();
  made.erase(made.begin() + 3);
  RunVerdict run = run_of(made);
  run.not_tried = {{"my_lock", "reply_lost", "the scenario does not fit the lock"}};
  EXPECT_EQ(grade_in(run).grade, Grade::not_known);
}

TEST(Grade, CountsACutThatTheLibrarySurvived) {
  auto made = all_struck();
  const FaultProof cut = made[4].trial().faults.at(0);
  made.pop_back();
  RunVerdict run = run_of(made);
  run.not_tried = {{"my_lock", "cut_holder", "the library outlasted the cut", {cut}}};
  EXPECT_EQ(grade_in(run).grade, Grade::safe);
}

TEST(Grade, OnlyLapsesGiveLease) {
  auto made = all_struck();
  made.push_back(lapsed());
  const RunAssessment found = assessed(made);
  EXPECT_EQ(found.locks.at(0).grade.grade, Grade::lease);
  EXPECT_EQ(found.exit_code, kExitAsExpected);
  EXPECT_EQ(headline_text(found), "as safe as a lease can be");
  EXPECT_TRUE(has(grade_reason(found.locks.at(0)), "which a lease cannot prevent"));
  EXPECT_TRUE(
      has(grade_reason(found.locks.at(0)), "A fencing token that the resource checks would keep the data safe"));
}

TEST(Grade, IsSafeIfTokensProtectTheDataPastALease) {
  auto made = all_struck();
  made.push_back(struck("lapses", "pause").violated("mutual_exclusion", "overrun", true).fenced(2));
  made.back().trial().outcome = made.back().cell.outcome = Outcome::allowed;
  EXPECT_EQ(grade_in(made).grade, Grade::safe);
  made.back().violated("resource", "overrun", true);
  EXPECT_EQ(grade_in(made).grade, Grade::lease);
}

TEST(Grade, LeaseWithoutTokenIsAtMostLease) {
  RunVerdict run = run_of(all_struck());
  run.leases_without_tokens = {"my_lock"};
  EXPECT_EQ(grade_in(run).grade, Grade::lease);
  run.leases_without_tokens = {"another"};
  EXPECT_EQ(grade_in(run).grade, Grade::safe);
}

TEST(Grade, SingleBrokenPromiseIsBroken) {
  EXPECT_EQ(grade_in({broken()}).grade, Grade::broken);
  EXPECT_EQ(exit_code_of({broken(), lapsed()}), kExitNotAsExpected);
  // A lapse damaged the data, and no promise was about that.
  EXPECT_EQ(headline_text(assessed({lapsed(), broken()})), "broken: two holders at once");
}

TEST(Grade, StrictCountsLapsesAsBroken) {
  auto made = all_struck();
  made.push_back(lapsed());
  RunVerdict run = run_of(made);
  run.strict = true;
  EXPECT_EQ(grade_in(run).grade, Grade::broken);
  EXPECT_EQ(assessed(run).exit_code, kExitNotAsExpected);
  RunVerdict sound = run_of(all_struck());
  sound.strict = true;
  EXPECT_EQ(grade_in(sound).grade, Grade::safe);
}

TEST(Grade, IsUnknownWithoutContention) {
  auto made = all_struck();
  for (auto& one : made) {
    for (auto& property : one.trial().verdict.properties) {
      if (concerns(property.property, Concerns::holders)) property.judgement = Judgement::not_exercised;
    }
  }
  EXPECT_EQ(grade_in(made).missing, std::vector<std::string>{"contention for the lock"});
}

// On a full machine few cells begin; those that did strike all four faults show little.
TEST(Grade, IsUnknownUnlessHalfOfTheCellsHadAResult) {
  auto made = all_struck();
  const std::size_t judged = made.size();
  const auto add_one_that_did_not_begin = [&] {
    made.push_back(struck("cell_" + std::to_string(made.size())));
    made.back().cell.trials.clear();
    made.back().cell.outcome = Outcome::not_run;
  };
  while (made.size() < 2 * judged) add_one_that_did_not_begin();
  EXPECT_EQ(grade_in(made).grade, Grade::safe);
  add_one_that_did_not_begin();
  EXPECT_EQ(grade_in(made).grade, Grade::not_known);
  EXPECT_EQ(grade_in(made).missing, std::vector<std::string>{"a conclusive result in half of the cells"});
  made[0] = broken();
  EXPECT_EQ(grade_in(made).grade, Grade::broken);
}

TEST(Grade, SearchFindsCountIfALeaseCouldPreventThem) {
  for (const auto& [kind, grade] :
       {std::pair{"algorithm", Grade::broken}, std::pair{"overrun", Grade::safe},
        std::pair{"session_lost", Grade::lease}, std::pair{"server_lost_state", Grade::safe},
        std::pair{"client_skew", Grade::broken}}) {
    Made searched = Made(kExplored).violated("mutual_exclusion", kind);
    searched.cell.suite.clear();
    searched.trial().mismatches.clear();
    auto made = all_struck();
    made.push_back(searched);
    EXPECT_EQ(grade_in(made).grade, grade) << kind;
    EXPECT_FALSE(assessed({searched}).locks.at(0).by_promises) << "a search alone grades nothing";
  }
}

TEST(Grade, WorstOfSeveralSearchFindsCounts) {
  Made searched = Made(kExplored).violated("lease_exclusion", "session_lost");
  searched.cell.suite.clear();
  searched.trial().mismatches.clear();
  searched.trial().verdict.properties.front().kinds["algorithm"] = 1;
  auto made = all_struck();
  made.push_back(searched);
  EXPECT_EQ(grade_in(made).grade, Grade::broken);
}

// A search that saw no overlap of holders reports none. It writes no data, so the data was not checked.
TEST(Grade, SearchTellsOnlyWhatItSaw) {
  const auto answer_with = [](const char* property, const char* kind) {
    Made searched = Made(kExplored).violated(property, kind);
    searched.cell.suite.clear();
    searched.trial().mismatches.clear();
    auto made = all_struck();
    made.push_back(searched);
    return lock_answers(assessed(made)).at(0);
  };
  const std::string ended = answer_with("lease_exclusion", "session_lost");
  EXPECT_TRUE(has(ended, "the server ended the session that held the lock")) << ended;
  EXPECT_TRUE(has(ended, "a session alone cannot prevent; the data was not checked")) << ended;
  for (const auto& [property, kind] : {std::pair{"progress", "stuck"}, std::pair{"ownership", "foreign_release"}}) {
    const std::string answer = answer_with(property, kind);
    EXPECT_FALSE(has(answer, "session")) << answer;
    EXPECT_FALSE(has(answer, "lost a grant")) << answer;
  }
}

TEST(Grade, TextAndJsonIncludeIt) {
  const RunAssessment found = assessed(all_struck());
  const std::string text = assessment_text(found, {}, false).text();
  EXPECT_TRUE(has(text, "my_lock: safe  ")) << text;
  EXPECT_TRUE(has(text, "Faults on holders: kill 1, pause 1, lost reply to a granted acquire 1, partition 1\n"))
      << text;
  const auto grade = assessment_json(found, {}).at("grade");
  EXPECT_EQ(grade.at("word"), "safe");
  EXPECT_EQ(grade.at("granted_holders_struck").at("kill"), 1);
  EXPECT_TRUE(grade.at("missing").empty());
  EXPECT_TRUE(assessment_json(assessed({Made("none")}), {}).at("grade").is_null()) << "its promises were not stated";
}

TEST(Grade, DecidesTheExitCodeOfASuite) {
  RunVerdict run = run_of({struck("none")});
  EXPECT_EQ(exit_code_with_grades(assessed(run)), kExitUndecided) << "nothing but a quiet load was tried";
  run.baseline = "before.json";
  EXPECT_EQ(exit_code_with_grades(assessed(run)), kExitAsExpected);
  EXPECT_EQ(exit_code_with_grades(assessed(all_struck())), kExitAsExpected);
  EXPECT_EQ(exit_code_with_grades(assessed({broken()})), kExitNotAsExpected);
  EXPECT_EQ(exit_code_with_grades(assessed({Made("none")})), kExitAsExpected) << "no grade";
}

}  // namespace
}  // namespace holdfast
