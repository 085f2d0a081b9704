// Trials that count at a point of a curve: the fault struck a granted client, and the trial was judged.
#include "compare/curve_tally.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "compare/envelope_search.hpp"

namespace holdfast {
namespace {

TrialResult judged_trial() {
  TrialResult out;
  out.number = 1;
  for (const char* name : {"lease_exclusion", "mutual_exclusion", "resource"}) {
    PropertyVerdict one;
    one.property = name;
    one.judgement = Judgement::holds;
    out.verdict.properties.push_back(one);
  }
  FaultProof proof;
  proof.fault = "pause";
  proof.acted = proof.planned = 1;
  proof.holders = 1;
  out.faults.push_back(proof);
  return out;
}

TrialResult broken_trial(const std::string& property, const std::string& kind) {
  TrialResult out = judged_trial();
  for (auto& one : out.verdict.properties) {
    if (one.property != property) continue;
    one.judgement = Judgement::violated;
    one.kind = kind;
    one.kinds = {{kind, 3}};
    one.witnesses.resize(1);
    one.witnesses[0].text = "clients 1 and 2 both acted";
  }
  return out;
}

CurvePoint tallied(const std::vector<TrialResult>& trials, CurvePart part = CurvePart::hold, bool fenced = false) {
  CurvePoint out;
  out.part = part;
  const CurveTally tally(envelope_properties(""), fenced);
  for (const auto& trial : trials) tally.add(trial, out);
  set_interval(out);
  return out;
}

TEST(CurveTally, CountsViolationsOncePerTrial) {
  TrialResult second = broken_trial("resource", "overrun");
  second.number = 2;
  const CurvePoint point = tallied({judged_trial(), second});
  EXPECT_EQ(point.acted, 2);
  EXPECT_EQ(point.counted, 2);
  EXPECT_EQ(point.violated, 1);
  EXPECT_EQ(point.violations.at("resource overrun"), 1);
  EXPECT_EQ(point.violating_trial, 2);
  EXPECT_EQ(point.seen, "clients 1 and 2 both acted");
  EXPECT_NEAR(point.low.value_or(-1), 0.0945, 0.001);
  EXPECT_NEAR(point.high.value_or(-1), 0.9055, 0.001);
}

// Never 0 %: without a strike nothing is known.
TEST(CurveTally, TrialsWithoutAStrikeDoNotCount) {
  TrialResult idle = judged_trial();
  idle.faults[0].acted = 0;
  TrialResult late = judged_trial();
  late.faults[0].holders = 0;
  const CurvePoint point = tallied({idle, late});
  EXPECT_EQ(point.trials, 2);
  EXPECT_EQ(point.acted, 0);
  EXPECT_FALSE(point.measured());
  EXPECT_FALSE(point.low || point.high);
  EXPECT_NE(point.reason.find("never acted"), std::string::npos);
  EXPECT_EQ(tallied({idle}, CurvePart::no_fault).counted, 1) << "it has no fault";
  EXPECT_EQ(tallied({late}, CurvePart::release).counted, 1) << "only a holder releases";
}

TEST(CurveTally, RefusedAcquiresDoNotCount) {
  TrialResult refused = judged_trial();
  refused.faults[0].holders = 0;
  refused.faults[0].struck.refused = 1;
  EXPECT_EQ(tallied({refused}, CurvePart::acquire).acted, 0);
  TrialResult granted = refused;
  granted.faults[0].struck = {};
  granted.faults[0].struck.granted = 1;
  EXPECT_EQ(tallied({granted}, CurvePart::acquire).acted, 1);
}

TEST(CurveTally, UnjudgedTrialsDoNotCount) {
  TrialResult open = judged_trial();
  open.verdict.properties[1].judgement = Judgement::undecided;
  open.verdict.properties[1].reason = "the machine stalled";
  TrialResult idle = judged_trial();
  for (auto& one : idle.verdict.properties) one.judgement = Judgement::not_exercised;
  TrialResult failed = judged_trial();
  failed.outcome = Outcome::harness_error;
  failed.error = "no server";
  TrialResult absent = failed;
  absent.outcome = Outcome::unavailable;
  const CurvePoint point = tallied({open, idle, failed, absent});
  EXPECT_EQ(point.counted, 0);
  EXPECT_EQ(point.undecided, 2);
  EXPECT_EQ(point.errors, 1);
  EXPECT_EQ(point.unavailable, 1);
  EXPECT_NE(point.reason.find("the machine stalled"), std::string::npos);
}

TEST(CurveTally, OneExclusionPropertyIsEnough) {
  TrialResult some = judged_trial();
  some.verdict.properties[0].judgement = Judgement::not_exercised;
  EXPECT_EQ(tallied({some}).counted, 1);
  some.verdict.properties[2].judgement = Judgement::not_exercised;
  EXPECT_EQ(tallied({some}).counted, 0) << "the data was not written";
}

// A grant is answered after a fault in its acquire, so it was not in force during the fault.
TEST(CurveTally, StruckGrantsExerciseExclusion) {
  TrialResult late = judged_trial();
  for (const std::size_t exclusion : {0, 1}) {
    late.verdict.properties[exclusion].judgement = Judgement::not_exercised;
    late.verdict.properties[exclusion].coverage = {{"struck_grants", 1}, {"attempts_in_hold", 4}};
  }
  EXPECT_EQ(tallied({late}, CurvePart::acquire).counted, 1);
  EXPECT_EQ(tallied({late}, CurvePart::release).counted, 1);
  EXPECT_EQ(tallied({late}, CurvePart::hold).undecided, 1) << "here a grant must be in force";
  for (const std::size_t exclusion : {0, 1}) late.verdict.properties[exclusion].coverage["attempts_in_hold"] = 0;
  EXPECT_EQ(tallied({late}, CurvePart::acquire).undecided, 1) << "no other client asked";
}

// A violation is one whatever else is undecided.
TEST(CurveTally, ViolationsOutweighUndecidedProperties) {
  TrialResult both = broken_trial("resource", "overrun");
  both.verdict.properties[0].judgement = Judgement::undecided;
  EXPECT_EQ(tallied({both}).violated, 1);
}

TEST(CurveTally, FencedLapsesAreCountedApart) {
  const TrialResult lapse = broken_trial("mutual_exclusion", "overrun");
  EXPECT_EQ(tallied({lapse}).violated, 1);
  const CurvePoint fenced = tallied({lapse}, CurvePart::hold, true);
  EXPECT_EQ(fenced.violated, 0);
  EXPECT_EQ(fenced.lapsed, 1);
  EXPECT_EQ(fenced.counted, 1);
  EXPECT_EQ(tallied({broken_trial("mutual_exclusion", "algorithm")}, CurvePart::hold, true).violated, 1);
  EXPECT_EQ(tallied({broken_trial("resource", "overrun")}, CurvePart::hold, true).violated, 1);
}

TEST(CurveExit, FollowsTheLeastKnownPoint) {
  CurveRun run;
  run.points = {tallied({broken_trial("resource", "overrun")})};
  EXPECT_EQ(exit_code_of(run), kExitAsExpected) << "a violation is a result";
  run.points.push_back(CurvePoint{});
  EXPECT_EQ(exit_code_of(run), kExitUndecided);
  run.points.erase(run.points.begin());
  run.points[0].errors = 1;
  EXPECT_EQ(exit_code_of(run), kExitHarness);
  run.points[0].errors = 0;
  run.points[0].unavailable = 1;
  EXPECT_EQ(exit_code_of(run), kExitUnavailable);
  run.interrupted = true;
  EXPECT_EQ(exit_code_of(run), kExitInterrupted);
}

}  // namespace
}  // namespace holdfast
