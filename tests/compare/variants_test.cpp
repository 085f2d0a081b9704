// Locks and settings become variants, and variants scenarios.
#include "compare/variants.hpp"

#include <gtest/gtest.h>

#include "plan/make_plan.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

std::string names(const std::vector<ComparedVariant>& all) {
  std::string out;
  for (const auto& v : all) out += (out.empty() ? "" : "|") + v.name;
  return out;
}

TEST(Variants, EveryLockWithEveryChoice) {
  EXPECT_EQ(names(variants_of({"get_lock", "upsert_lease,upsert_lease+found_rows"}, {})),
            "get_lock|upsert_lease|upsert_lease+found_rows");
  EXPECT_EQ(names(variants_of({"get_lock"}, {"load.lease_ms=500,1000", "hold_ms=[1,2],[3,4]"})),
            "get_lock lease_ms=500 hold_ms=[1,2]|get_lock lease_ms=500 hold_ms=[3,4]|"
            "get_lock lease_ms=1000 hold_ms=[1,2]|get_lock lease_ms=1000 hold_ms=[3,4]");
}

TEST(Variants, MistakesAreNamed) {
  EXPECT_TRUE(contains(refusal([] { variants_of({"get_lok"}, {}); }), "did you mean 'get_lock'"));
  EXPECT_TRUE(contains(refusal([] { variants_of({"get_lock", "get_lock"}, {}); }), "duplicate"));
  EXPECT_TRUE(contains(refusal([] { variants_of({"get_lock"}, {"lease_ms"}); }), "KEY=VALUE"));
  EXPECT_TRUE(contains(refusal([] { variants_of({"get_lock"}, {"lease_ms="}); }), "KEY=VALUE"));
  EXPECT_TRUE(contains(refusal([] { variants_of({"get_lock"}, {"expect={}"}); }), "not a setting"));
}

class VariantScenario : public testing::Test {
 protected:
  VariantScenario()
      : base_(load_scenario(folder_.write("mine/cell.json", R"({
  "locks": ["get_lock"], "lease_ms": 2000, "hold_ms": [1, 2],
  "faults": [{"fault": "pause", "at": {"phase": "critical_section"}, "for_ms": 100}],
  "per_lock": {"get_lock": {"clients": 2, "faults": [{"fault": "kill", "at": {"time_ms": 5}}]}},
  "expect": {"*": {"resource": "violated"}}, "why": {"*": "so it is"}})"))) {}

  Scenario of(const std::string& lock, const std::vector<std::string>& settings, bool as_written = false) {
    return variant_scenario(base_, variants_of({lock}, settings).front(), as_written);
  }

  TemporaryFolder folder_;
  Scenario base_;
};

TEST_F(VariantScenario, TakesAnyLockAndExpectsNothing) {
  const Scenario s = of("insert_lease", {});
  EXPECT_EQ(s.locks, std::vector<std::string>{"insert_lease"});
  EXPECT_EQ(s.name, "mine/cell");
  EXPECT_TRUE(s.expected_of("insert_lease").empty());
  EXPECT_EQ(s.faults.at(0).fault, "pause");
}

TEST_F(VariantScenario, LocksOwnSettingsKeepOnlyTheFaults) {
  const Scenario s = of("get_lock", {});
  EXPECT_EQ(s.settings_of("get_lock").load.clients, 5);
  EXPECT_EQ(s.settings_of("get_lock").faults.at(0).fault, "kill");
  EXPECT_EQ(of("get_lock", {}, true).settings_of("get_lock").load.clients, 2);
}

TEST_F(VariantScenario, SettingsReachEveryDepth) {
  const Scenario s = of("insert_lease", {"lease_ms=700", "server.redis_persistence=aof_always", "faults.0.for_ms=9"});
  EXPECT_EQ(s.load.lease_ms, 700);
  ASSERT_EQ(s.server.own.size(), 1U);
  EXPECT_EQ(s.server.own.front().name, "redis_persistence");
  EXPECT_EQ(s.server.own.front().value.text, "aof_always");
  EXPECT_EQ(s.faults.at(0).for_ms, 9);
}

TEST_F(VariantScenario, WrongSettingIsNamedAsTyped) {
  EXPECT_TRUE(contains(refusal([&] { of("insert_lease", {"lease_ms=soon"}); }), "--set lease_ms=soon"));
  EXPECT_TRUE(contains(refusal([&] { of("insert_lease", {"leese_ms=5"}); }), "lease_ms"));
  EXPECT_TRUE(contains(refusal([&] { of("insert_lease", {"faults.7.for_ms=5"}); }), "it has 1"));
  EXPECT_TRUE(contains(refusal([&] { of("insert_lease", {"lease_ms.deep=5"}); }), "no keys"));
}

TEST_F(VariantScenario, AllVariantsMakeTheSameChoices) {
  const Plan one = make_plan(of("insert_lease", {}), "insert_lease", 42, 1);
  const Plan other = make_plan(of("get_lock", {"lease_ms=900"}), "get_lock", 42, 1);
  EXPECT_EQ(one.seed, other.seed);
  EXPECT_EQ(one.clients.at(0).seed, other.clients.at(0).seed);
  EXPECT_NE(one.seed, make_plan(of("insert_lease", {}), "insert_lease", 42, 2).seed);
}

}  // namespace
}  // namespace holdfast
