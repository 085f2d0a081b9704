#include "soak/drawn_scenario.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

Scenario bounds(const std::string& more = "") {
  const std::string text = R"({"about": "two faults", "locks": ["redis_token", "ip_lease"], "clients": 6,
    "lease_ms": 2000, "hold_ms": [100, 300], "duration_ms": 8000, "coverage": {"grants": 8},
    "faults": [{"fault": "pause", "target": "holder", "at": {"phase": "critical_section", "nth": 2}, "for_ms": 4000},
               {"fault": "partition", "target": "holder", "at": {"time_ms": 1000}, "for_ms": 2000}],
    "expect": {"*": {"mutual_exclusion": "violated:overrun", "resource": "violated", "ownership": "not_exercised"}},
    "why": {"*": "the pause"})" +
                           more + "}";
  return read_scenario(parse_json_text(text, "bounds.json"), "bounds.json");
}

TEST(DrawnScenarios, AreTheSameForTheSameSeedAndDifferForOthers) {
  const Scenario scenario = bounds();
  std::set<std::string> all;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Json drawn = drawn_scenario(scenario, "redis_token", seed);
    EXPECT_EQ(drawn, drawn_scenario(scenario, "redis_token", seed));
    all.insert(drawn.dump());
  }
  EXPECT_GT(all.size(), 45U);
}

TEST(DrawnScenarios, StayWithinTheBounds) {
  const Scenario scenario = bounds();
  std::set<std::size_t> counts;
  std::set<std::int64_t> clients;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Json drawn = drawn_scenario(scenario, "redis_token", seed);
    const Scenario read = read_scenario(parse_json_text(drawn.dump(), "drawn.json"), "drawn.json");
    EXPECT_GE(read.load.clients, 2);
    EXPECT_LE(read.load.clients, 6);
    EXPECT_GE(read.load.hold_ms.least, 100);
    EXPECT_LE(read.load.hold_ms.most, 300);
    clients.insert(read.load.clients);
    counts.insert(read.faults.size());
    for (const auto& fault : read.faults) {
      EXPECT_TRUE(fault.optional);
      EXPECT_LE(fault.for_ms, fault.fault == "pause" ? 4000 : 2000);
      EXPECT_GE(fault.for_ms, fault.fault == "pause" ? 1000 : 500);
      EXPECT_LE(fault.at.time_ms.value_or(0), 6000);
    }
  }
  EXPECT_EQ(clients.size(), 5U);
  EXPECT_EQ(counts, (std::set<std::size_t>{1, 2}));
}

// Whatever a scenario may say. Not every draw makes sense, and one that does not is refused as any scenario is.
TEST(DrawnScenarios, EveryShippedScenarioCanBeDrawn) {
  std::size_t made = 0;
  std::size_t refused = 0;
  for (const Scenario& scenario : load_suite(std::string(HOLDFAST_SOURCE) + "/scenarios")) {
    for (const auto& lock : scenario.locks) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Json drawn = drawn_scenario(scenario, lock, seed);
        for (const Json& one : smaller_scenarios(drawn)) EXPECT_FALSE(size_of_scenario(one).empty());
        ++made;
        try {
          read_scenario(parse_json_text(drawn.dump(), "drawn.json"), "drawn.json");
        } catch (const BadInput&) {
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(made, 2000U);
  EXPECT_LT(refused, made / 10);
}

TEST(DrawnScenarios, KeepAHoldThatIsOneNumber) {
  const Scenario scenario = bounds(R"(, "per_lock": {"ip_lease": {"hold_ms": 70}})");
  EXPECT_EQ(drawn_scenario(scenario, "ip_lease", 3).at("hold_ms"), 70);
}

// Two of a kind could strike the same client at once, which no trial can carry out.
TEST(DrawnScenarios, HaveNoFaultTwice) {
  const Scenario scenario = bounds(R"(, "per_lock": {"ip_lease": {"faults": [
    {"fault": "pause", "target": "holder", "at": {"time_ms": 1000}, "for_ms": 400},
    {"fault": "pause", "target": "holder", "at": {"time_ms": 3000}, "for_ms": 400}]}})");
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(drawn_scenario(scenario, "ip_lease", seed).at("faults").size(), 1U);
  }
}

TEST(DrawnScenarios, AllowOnlyExpectedViolations) {
  const Json expect = drawn_scenario(bounds(), "redis_token", 3).at("expect").at("*");
  EXPECT_EQ(expect, (Json{{"mutual_exclusion", "allowed:overrun"}, {"resource", "not_judged"}}));
}

TEST(DrawnScenarios, HaveTheLocksSettings) {
  const Scenario scenario = bounds(R"(, "per_lock": {"ip_lease": {"clients": 3, "faults": []}})");
  const Json drawn = drawn_scenario(scenario, "ip_lease", 3);
  EXPECT_LE(drawn.at("clients"), 3);
  EXPECT_TRUE(drawn.at("faults").empty());
  EXPECT_FALSE(drawn.contains("per_lock"));
  EXPECT_EQ(drawn.at("locks"), Json{"ip_lease"});
}

TEST(SmallerScenarios, TakeOneThingAway) {
  const Json found = {
      {"clients", 6}, {"duration_ms", 9000}, {"faults", {{{"fault", "pause"}, {"for_ms", 4000}}, {{"fault", "kill"}}}}};
  const auto all = smaller_scenarios(found);
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all[0].at("faults").size(), 1U);
  EXPECT_EQ(all[0].at("faults")[0].at("fault"), "kill");
  EXPECT_EQ(all[1].at("faults")[0].at("fault"), "pause");
  EXPECT_EQ(all[2].at("clients"), 3);
  EXPECT_EQ(all[3].at("clients"), 5);
  EXPECT_EQ(all[4].at("faults")[0].at("for_ms"), 2000);
  EXPECT_EQ(all[5].at("duration_ms"), 6000);
}

TEST(SmallerScenarios, StepsAreFinite) {
  Json one = {{"clients", 200}, {"duration_ms", 100'000}, {"faults", {{{"fault", "pause"}, {"for_ms", 60'000}}}}};
  int steps = 0;
  for (auto all = smaller_scenarios(one); !all.empty(); all = smaller_scenarios(one)) {
    one = all.back();
    ASSERT_LT(++steps, 500);
  }
  EXPECT_EQ(one.at("clients"), 2);
}

TEST(SmallerScenarios, SizeInWords) {
  const Json one = {{"clients", 3}, {"duration_ms", 5000}, {"faults", {{{"fault", "pause"}, {"for_ms", 1200}}}}};
  EXPECT_EQ(size_of_scenario(one), "3 clients, pause for 1200 ms, 5000 ms");
  EXPECT_EQ(size_of_scenario({{"clients", 2}, {"duration_ms", 4000}}), "2 clients, no fault, 4000 ms");
}

}  // namespace
}  // namespace holdfast
