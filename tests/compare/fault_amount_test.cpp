// Amounts come from the catalogue of faults: every fault that has one can be asked for, and has a scenario.
#include "compare/envelope_scenario.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nemesis/fault.hpp"
#include "servers/server_type.hpp"
#include "suite/check_names.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

TEST(FaultAmounts, NamesAndWords) {
  EXPECT_EQ(fault_amount("pause").key, "for_ms");
  EXPECT_EQ(fault_amount("client_skew").key, "step_ms");
  EXPECT_LT(fault_amount("skew").least, 0) << "a clock may be behind, too";
  EXPECT_EQ(fault_amount("skew").fault, "client_skew");
  EXPECT_EQ(fault_amount("drift").fault, "clock_drift") << "of two, the one that strikes clients";
  EXPECT_EQ(fault_amount("partition").key, "for_ms");
  EXPECT_EQ(fault_amount("partition.percent").key, "percent");
  EXPECT_EQ(fault_amount("server_clock").key, "step_ms");
}

TEST(FaultAmounts, MistakesAreNamed) {
  EXPECT_TRUE(contains(refusal([] { fault_amount("puase"); }), "did you mean 'pause'"));
  EXPECT_TRUE(contains(refusal([] { fault_amount("reply_lost"); }), "pause.for_ms"));
  EXPECT_TRUE(contains(refusal([] { fault_amount("pause.percent"); }), "unknown amount"));
}

bool needs_a_topology(const FaultType& type) {
  return std::any_of(type.needs.begin(), type.needs.end(), [](Capability need) { return !is_offered(need, {}); });
}

// Covers the whole catalogue: a new fault needs no line here.
TEST(FaultAmounts, EveryFaultWithASettingThatCountsHasAnAmountAndAScenario) {
  int with = 0;
  for (const auto& [name, type] : faults()) {
    const auto all = fault_amounts(name);
    const std::string settings = type->settings;
    if (contains(settings, "\"integer\"")) {
      EXPECT_FALSE(all.empty()) << name;
    }
    if (all.empty() || needs_a_topology(*type)) continue;  // those need a topology, which --set gives
    ++with;
    for (const std::int64_t sign : {1, -1}) {
      if (sign < 0 && all.front().least >= 0) continue;
      EnvelopeCourse course{all.front(), "insert_lease", 2000, {}, nullptr};
      const Scenario scenario = envelope_scenario(course, sign * 50);
      check_names(scenario);
      EXPECT_EQ(scenario.faults.at(0).fault, name);
      EXPECT_EQ(scenario.faults.at(0).settings.find(all.front().key)->integer, sign * 50);
      EXPECT_TRUE(envelope_scenario(course, 0).faults.empty()) << "0 is without the fault";
    }
  }
  EXPECT_GT(with, 6);
}

TEST(FaultAmounts, UserScenarioGetsTheAmount) {
  const std::string text = R"({"locks": ["get_lock"], "about": "mine", "faults": [
    {"fault": "pause", "at": {"phase": "granted"}, "for_ms": 1},
    {"fault": "kill", "at": {"time_ms": 9}}], "expect": {}})";
  const Scenario own = read_scenario(parse_json_text(text, "mine.json"), "mine.json");
  EnvelopeCourse course{fault_amount("pause"), "insert_lease", 1500, {}, &own};
  const Scenario made = envelope_scenario(course, 700);
  EXPECT_EQ(made.faults.at(0).for_ms, 700);
  EXPECT_EQ(made.faults.size(), 2U);
  EXPECT_EQ(made.load.lease_ms, 1500);
  EXPECT_EQ(envelope_scenario(course, 0).faults.size(), 1U) << "the other fault stays";
  course.amount = fault_amount("skew");
  EXPECT_TRUE(contains(refusal([&] { envelope_scenario(course, 5); }), "has no fault client_skew"));
}

}  // namespace
}  // namespace holdfast
