// A lock in the place of a suite's own: what it must keep there, and what does not fit.
#include "suite/placed_suite.hpp"

#include <gtest/gtest.h>

#include "suite/suite.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

std::vector<Scenario> suite_of(const char* name) {
  return load_suite(std::string(HOLDFAST_SOURCE "/scenarios/") + name);
}

std::string why_left_out(const GeneratedSuite& suite, const std::string& what) {
  for (const auto& one : suite.left_out) {
    if (one.what == what) return one.why;
  }
  return "";
}

const Scenario* named(const GeneratedSuite& suite, const std::string& name) {
  for (const auto& scenario : suite.scenarios) {
    if (scenario.name == name) return &scenario;
  }
  return nullptr;
}

TEST(PlacedSuite, KeepsFaultsAndJudgesByPromises) {
  const GeneratedSuite placed = place_lock(suite_of("server"), "upsert_lease");
  const Scenario* killed = named(placed, "server_kill_lost");
  ASSERT_NE(killed, nullptr);
  EXPECT_EQ(killed->suite, "server");
  EXPECT_EQ(killed->locks, std::vector<std::string>{"upsert_lease"});
  EXPECT_EQ(killed->faults.at(0).fault, "server_kill");
  EXPECT_EQ(killed->server.own.size(), 1U);
  EXPECT_EQ(killed->load.lease_ms, 9000);
  const auto expected = killed->expected_of("upsert_lease");
  EXPECT_EQ(expected.at("mutual_exclusion"), "allowed:overrun,late_grant") << "no word of a server that lost its state";
  EXPECT_EQ(expected.at("ownership"), "allowed");
  EXPECT_EQ(killed->control_of("upsert_lease"), nullptr);
  SuiteOptions options;
  options.scenarios = placed.scenarios;
  EXPECT_EQ(refusal([&] { plan_cells(options); }), "accepted");
}

TEST(PlacedSuite, AllowsTheSuitesGeneralViolations) {
  TemporaryFolder folder;
  const std::string file = folder.write("forgets.json", R"({"locks": ["redis_token"], "coverage": {"grants": 2},
    "lease_ms": 2000, "duration_ms": 3000,
    "faults": [{"fault": "server_kill", "target": "server", "at": {"phase": "granted", "nth": 2}, "for_ms": 300}],
    "expect": {"*": {"mutual_exclusion": "allowed:server_lost_state,overrun", "resource": "allowed:server_lost_state",
                     "ownership": "not_exercised"}},
    "why": {"*": "the server forgets"}})");
  const GeneratedSuite placed = place_lock({load_scenario(file)}, "redis_watchdog");
  ASSERT_EQ(placed.scenarios.size(), 1U);
  const auto expected = placed.scenarios[0].expected_of("redis_watchdog");
  EXPECT_EQ(expected.at("mutual_exclusion"), "allowed:server_lost_state,overrun,late_grant") << "each kind once";
  EXPECT_EQ(expected.at("resource"), "allowed:server_lost_state,overrun,late_grant");
  EXPECT_EQ(expected.at("ownership"), "allowed") << "nothing else of what it expects";
}

TEST(PlacedSuite, LeavesOutUnsuitableScenarios) {
  EXPECT_NE(why_left_out(place_lock(suite_of("server"), "redis_token"), "server_kill_lost").find("a different kind"),
            std::string::npos);
  const GeneratedSuite quick = place_lock(suite_of("quick"), "redis_token");
  EXPECT_NE(named(quick, "pause"), nullptr);
  const GeneratedSuite more = place_lock(suite_of("mysql_locks"), "redis_token");
  EXPECT_NE(why_left_out(more, "zones").find("zones"), std::string::npos);
  const std::string refused = refusal([] { place_lock(suite_of("galera"), "redis_token"); });
  EXPECT_NE(refused.find("none of these scenarios fits redis_token"), std::string::npos) << refused;
  EXPECT_NE(refused.find("'galera'"), std::string::npos) << refused;
}

TEST(PlacedSuite, SeparatesScenariosWithTheSameName) {
  std::vector<Scenario> both = suite_of("quick");
  for (auto& scenario : suite_of("redis")) both.push_back(std::move(scenario));
  const GeneratedSuite placed = place_lock(both, "redis_token");
  EXPECT_NE(named(placed, "pause"), nullptr);
  EXPECT_NE(named(placed, "redis_pause"), nullptr);
}

}  // namespace
}  // namespace holdfast
