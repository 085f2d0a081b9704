// The answer for an amount from single trials: a pass needs all of them, and the dangerous moment in each.
#include "compare/envelope_search.hpp"

#include <gtest/gtest.h>

#include "compare/envelope.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

TrialRecord good_trial() {
  TrialRecord out;
  for (const char* name : {"lease_exclusion", "mutual_exclusion", "resource"}) {
    out.shown.properties.push_back({name, Judgement::holds, {}, "", 0, 0});
  }
  out.shown.properties.push_back({"ownership", Judgement::not_exercised, {}, "no release after a lapse", 0, 0});
  out.shown.properties.push_back({"progress", Judgement::violated, {{"stuck", 1}}, "stuck", 0, 0});
  out.shown.faults.push_back({"pause", {1}, 0, 10, "stopped for 0.1 s"});
  out.service.struck_grants = 1;
  return out;
}

TrialRecord with(Judgement judgement, std::size_t property = 0) {
  TrialRecord out = good_trial();
  out.shown.properties[property].judgement = judgement;
  out.shown.properties[property].text = "because";
  if (judgement == Judgement::violated) out.shown.properties[property].kinds = {{"overrun", 4}};
  return out;
}

EnvelopePoint at(std::int64_t amount, const std::vector<TrialRecord>& trials, const std::string& only = "") {
  return point_of(amount, {}, trials, envelope_properties(only));
}

TEST(EnvelopeAnswer, HoldsWhenEveryTrialHolds) {
  const auto point = at(100, {good_trial(), good_trial()});
  EXPECT_EQ(point.answer, AtAmount::holds) << point.reason;
  EXPECT_EQ(point.held, 2);
  EXPECT_EQ(point.measured, "stopped for 0.1 s");
}

TEST(EnvelopeAnswer, SingleViolationDecides) {
  const auto point = at(100, {good_trial(), with(Judgement::undecided), with(Judgement::violated)});
  EXPECT_EQ(point.answer, AtAmount::violated);
  EXPECT_EQ(point.violated, 1);
  EXPECT_EQ(point.trials, 3);
  EXPECT_EQ(point.violations.at("lease_exclusion overrun"), 1) << "once a trial";
  EXPECT_EQ(point.reason, "because");
}

TEST(EnvelopeAnswer, UnprovenAmountIsUndecided) {
  EXPECT_EQ(at(100, {good_trial(), with(Judgement::undecided)}).answer, AtAmount::undecided);
  EXPECT_EQ(at(100, {good_trial(), with(Judgement::not_exercised)}).answer, AtAmount::undecided);
  TrialRecord broken = good_trial();
  broken.shown.state = TrialState::harness_error;
  broken.shown.error = "the fault did not act";
  EXPECT_EQ(at(100, {good_trial(), broken}).answer, AtAmount::undecided);
  EXPECT_EQ(at(100, {good_trial(), broken}).reason, "the fault did not act");
  EXPECT_EQ(at(100, {}).answer, AtAmount::undecided);
  EXPECT_EQ(at(100, {TrialRecord{}}).answer, AtAmount::undecided) << "nothing was promised";
}

TEST(EnvelopeAnswer, FaultMustHaveStruckAGrant) {
  TrialRecord idle = good_trial();
  idle.service.struck_grants = 0;
  EXPECT_EQ(at(100, {idle}).answer, AtAmount::undecided);
  EXPECT_EQ(at(0, {idle}).answer, AtAmount::holds) << "without the fault there is none to come";
  idle.service.struck_attempts_in_hold = 1;
  EXPECT_EQ(at(100, {idle}).answer, AtAmount::holds);
  idle.shown.faults.clear();
  EXPECT_EQ(at(100, {idle}).answer, AtAmount::undecided) << "the fault never acted";
}

// A pause of 12 s in a trial that ends after 7 was none of 12 s.
TEST(EnvelopeAnswer, TruncatedFaultDoesNotCount) {
  TrialRecord trial = good_trial();
  trial.shown.faults = {{"pause", {1}, 1'000'000'000, 8'000'000'000, "stopped"}};
  const auto all = envelope_properties("");
  EXPECT_EQ(point_of(7000, {"pause", 7000}, {trial}, all).answer, AtAmount::holds);
  EXPECT_EQ(point_of(12000, {"pause", 12000}, {trial}, all).answer, AtAmount::undecided);
  EXPECT_EQ(point_of(12000, {"pause", 12000}, {trial}, all).reason,
            "the fault lasted only 7000 ms; remedy: a longer duration_ms");
  EXPECT_EQ(point_of(12000, {}, {trial}, all).answer, AtAmount::holds) << "of a clock's step, say";
  trial.shown.faults.push_back({"partition", {1}, 0, 60'000'000'000, "cut"});
  EXPECT_EQ(point_of(12000, {"pause", 12000}, {trial}, all).answer, AtAmount::undecided) << "another fault's length";
}

TEST(EnvelopeAnswer, ExitCodeNamesTheReasonForNoJudgement) {
  const auto code = [](TrialState state) {
    TrialRecord trial = with(Judgement::undecided);
    trial.shown.state = state;
    EnvelopeRun run;
    run.envelopes.emplace_back().points.push_back(at(100, {trial}));
    return exit_code_of(run);
  };
  EXPECT_EQ(code(TrialState::unavailable), 4);
  EXPECT_EQ(code(TrialState::harness_error), 5);
  EXPECT_EQ(code(TrialState::judged), 3);
}

TEST(EnvelopeAnswer, JudgesASingleProperty) {
  const auto trial = with(Judgement::violated, 1);
  EXPECT_EQ(at(100, {trial}).answer, AtAmount::violated);
  EXPECT_EQ(at(100, {trial}, "resource").answer, AtAmount::holds);
  EXPECT_EQ(at(100, {trial}, "ownership").answer, AtAmount::undecided);
  EXPECT_EQ(at(100, {trial}, "progress").answer, AtAmount::violated);
  EXPECT_TRUE(contains(refusal([] { envelope_properties("resourse"); }), "did you mean 'resource'"));
}

}  // namespace
}  // namespace holdfast
