// Changes in a run against an earlier one: new, still, fixed, flaky or unknown, and the exit code.
#include "compare/run_baseline.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/expectation.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

enum class Came { good, bad, missed, undecided, failed };

TrialResult came(Came how) {
  TrialResult out;
  out.folder = "cells/ip_lease/skew/1";
  PropertyVerdict property;
  property.property = "resource";
  property.judgement = how == Came::bad         ? Judgement::violated
                       : how == Came::undecided ? Judgement::undecided
                                                : Judgement::holds;
  if (how != Came::failed) out.verdict.properties = {property};
  if (how == Came::bad) out.outcome = Outcome::unexpected;
  if (how == Came::missed) out.outcome = Outcome::missed;
  if (how == Came::undecided) out.outcome = Outcome::undecided;
  if (how == Came::failed) out.outcome = Outcome::harness_error;
  if (how != Came::good && how != Came::failed) out.mismatches = {{"resource", "x", "y"}};
  return out;
}

RunVerdict saw(const std::vector<Came>& trials, const std::string& lock = "ip_lease") {
  RunVerdict out;
  Cell cell;
  cell.lock = lock;
  cell.scenario = "skew";
  for (const auto how : trials) cell.trials.push_back(came(how));
  sum_up(cell);
  out.cells = {cell};
  return out;
}

RunVerdict against(const RunBaseline& before, RunVerdict run) {
  run.baseline = "old.json";
  run.changes = changes_since(before, run);
  run.exit_code = exit_code_of(run);
  return run;
}

std::string change(const std::vector<Came>& before, const std::vector<Came>& now) {
  const auto run = against(baseline_of(saw(before)), saw(now));
  return (run.changes.empty() ? "same" : to_text(run.changes.front().change)) + std::string(" ") +
         std::to_string(run.exit_code);
}

constexpr Came kGood = Came::good;
constexpr Came kBad = Came::bad;
constexpr Came kMissed = Came::missed;

TEST(RunBaselines, EveryWayACellCanChange) {
  EXPECT_EQ(change({kGood, kGood}, {kGood, kGood}), "same 0");
  EXPECT_EQ(change({kGood, kGood}, {kGood, kBad}), "new 1");
  EXPECT_EQ(change({kGood, kGood}, {kMissed, kMissed}), "new 1") << "a flaw that is no longer caught is news as well";
  EXPECT_EQ(change({kBad, kBad}, {kBad, kBad}), "still 0");
  EXPECT_EQ(change({kMissed}, {kMissed}), "still 0");
  EXPECT_EQ(change({kBad, kBad}, {kGood, kGood}), "fixed 0");
  EXPECT_EQ(change({kGood, kBad}, {kGood, kGood}), "flaky 0") << "not seen is not fixed where chance decides";
  EXPECT_EQ(change({kGood, kBad}, {kBad, kBad}), "flaky 0");
  EXPECT_EQ(change({kBad, kBad}, {Came::undecided}), "unknown 3") << "not judged is not fixed";
  EXPECT_EQ(change({Came::undecided}, {kBad}), "new 1") << "an undecided trial excuses nothing";
  EXPECT_EQ(change({Came::failed}, {kBad}), "new 1");
  EXPECT_EQ(change({kBad}, {Came::failed}), "unknown 5") << "a harness that failed is no pass";
  EXPECT_EQ(change({kGood}, {Came::undecided}), "same 3") << "undecided is no pass, new or not";
}

TEST(RunBaselines, UnexpectedCellMissingFromTheBaselineIsNew) {
  const RunBaseline before = baseline_of(saw({kBad}, "get_lock"));
  const auto broken = against(before, saw({kBad}));
  EXPECT_EQ(broken.exit_code, 1);
  ASSERT_EQ(broken.changes.size(), 1U);
  EXPECT_EQ(broken.changes[0].change, Change::fresh);
  EXPECT_EQ(broken.changes[0].why, "this cell is not in the baseline");
  EXPECT_EQ(against(before, saw({kMissed})).exit_code, 1);
  const auto sound = against(before, saw({kGood}));
  EXPECT_EQ(sound.exit_code, 0);
  EXPECT_TRUE(sound.changes.empty());
  const auto now = saw({kBad});
  EXPECT_NE(refusal([&] { check_baseline(before, now.cells); }).find("get_lock/skew"), std::string::npos);
  check_baseline(baseline_of(now), now.cells);
}

TEST(RunBaselines, BrokenControlIsNew) {
  RunVerdict now = saw({kGood});
  TrialResult& trial = now.cells[0].trials[0];
  trial.outcome = Outcome::caught;
  trial.control = ControlResult{"x", "the flaw", "control", true, ""};
  const RunBaseline before = baseline_of(now);
  EXPECT_EQ(against(before, now).exit_code, 0);
  trial.outcome = Outcome::unexpected;
  trial.control->held = false;
  trial.mismatches = {{"control", "holds", "violated"}};
  const auto broken = against(before, now);
  EXPECT_EQ(broken.exit_code, 1);
  ASSERT_EQ(broken.changes.size(), 1u);
  EXPECT_EQ(broken.changes[0].property, "control");
}

TEST(RunBaselines, AreKeptInAFileOfTheirOwn) {
  const RunVerdict run = saw({kGood, kBad, Came::undecided});
  const RunBaseline again = read_run_baseline(baseline_json(run));
  EXPECT_EQ(again.cells.at("ip_lease/skew").at("resource").bad, 1);
  EXPECT_EQ(again.cells.at("ip_lease/skew").at("resource").judged, 2);
  const RunBaseline of_run = read_run_baseline(to_json(run));
  EXPECT_EQ(of_run.cells.at("ip_lease/skew").at("resource").judged, 2);
  EXPECT_NE(refusal([] { read_run_baseline(nlohmann::json::object()); }), "accepted");
  nlohmann::json wrong = baseline_json(run);
  wrong["cells"][0]["properties"][0]["not_as_expected"] = 3;
  EXPECT_NE(refusal([&wrong] { read_run_baseline(wrong); }), "accepted") << "more than judged";
}

TEST(RunBaselines, WithoutABaselineEverythingIsNew) {
  RunVerdict run = saw({kBad});
  EXPECT_EQ(exit_code_of(run), 1);
  run.baseline = "old.json";  // and no change that would explain the violation
  EXPECT_EQ(exit_code_of(run), 1);
}

}  // namespace
}  // namespace holdfast
