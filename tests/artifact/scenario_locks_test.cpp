// Settings of single locks in a scenario.
#include <gtest/gtest.h>

#include "tests/artifact/scenario_text.hpp"

namespace holdfast {
namespace {

TEST(Scenario, ALocksOwnEntryReplacesTheStar) {
  const Scenario s = loaded(with("\"why\": {\"*\": \"all\", \"b\": \"own\"}", R"("expect": {
      "*": {"resource": "violated", "fencing": "holds"}, "b": {"progress": "violated:stuck"}})"));
  EXPECT_EQ(s.expected_of("a").size(), 2u);
  EXPECT_EQ(s.expected_of("b"), (std::map<std::string, std::string>{{"progress", "violated:stuck"}}));
  EXPECT_EQ(s.why_of("a"), "all");
  EXPECT_EQ(s.why_of("b"), "own");
  EXPECT_TRUE(loaded(with("", R"("expect": {"a": {}})")).expected_of("b").empty());
}

TEST(Scenario, ALockMayHaveKeysOfItsOwn) {
  const Scenario s = loaded(with(R"("lease_ms": 900, "keys": 2, "coverage": {"grants": 7}, "per_lock": {
      "b": {"lease_ms": 700, "coverage": {"grants": 3}, "faults": [{"fault": "pause", "at": {"time_ms": 0}}]}})"));
  EXPECT_EQ(s.settings_of("a").load.lease_ms, 900);
  EXPECT_EQ(s.settings_of("b").load.lease_ms, 700);
  EXPECT_EQ(s.settings_of("b").load.keys, 2) << "what it does not say is the scenario's";
  EXPECT_EQ(s.settings_of("a").minima.grants, 7);
  EXPECT_EQ(s.settings_of("b").minima.grants, 3);
  EXPECT_TRUE(s.settings_of("a").faults.empty());
  EXPECT_EQ(s.settings_of("b").faults.size(), 1u);
  EXPECT_TRUE(
      contains(scenario_refusal(with(R"("per_lock": {"c": {}})")), "per_lock.c: unknown lock of this scenario 'c'"));
  EXPECT_TRUE(contains(scenario_refusal(with(R"("per_lock": {"a": {"lease_mss": 1}})")), "did you mean 'lease_ms'?"));
  EXPECT_TRUE(contains(scenario_refusal(with(R"("per_lock": [])")), "per_lock: expected an object"));
}

TEST(Scenario, AControlIsThePlanWithoutTheFlaw) {
  const Scenario s = loaded(with(R"("lease_ms": 900, "per_lock": {"b": {"lease_ms": 700}},
      "faults": [{"fault": "pause", "at": {"time_ms": 0}}],
      "control": {"*": {"removes": "it", "faults": []}, "a": {"removes": "the flaw", "lock": "c", "keys": 3}})"));
  ASSERT_NE(s.control_of("a"), nullptr);
  EXPECT_EQ(s.control_of("a")->lock, "c");
  EXPECT_EQ(s.control_of("a")->settings.load.keys, 3);
  EXPECT_EQ(s.control_of("a")->settings.faults.size(), 1u) << "the lock's own entry replaces the star's";
  EXPECT_TRUE(s.control_of("b")->settings.faults.empty());
  EXPECT_EQ(s.control_of("b")->settings.load.lease_ms, 700) << "the cell's own settings otherwise";
  EXPECT_EQ(loaded(with("")).control_of("a"), nullptr);
  EXPECT_TRUE(contains(scenario_refusal(with(R"("control": {"c": {"removes": "x"}})")),
                       "control.c: unknown lock of this scenario 'c'"));
  EXPECT_TRUE(contains(scenario_refusal(with(R"("control": {"a": {}})")), "'removes' is missing"));
  EXPECT_TRUE(contains(scenario_refusal(with(R"("control": {"a": {"removes": "x", "key": 1}})")), "mean 'keys'?"));
}

}  // namespace
}  // namespace holdfast
