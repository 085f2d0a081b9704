// Planning is pure: the same arguments give the same plan, and a cell's plan does not depend on the cells beside it.
#include "plan/make_plan.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

Scenario sample(const std::string& more) {
  const TemporaryFolder folder;
  return load_scenario(folder.write("pause.json", R"({"locks": ["get_lock"], "expect": {}, "clients": 5, "faults": [
      {"fault": "pause", "at": {"phase": "granted"}, "for_ms": 9}])" +
                                                      more + "}"));
}

RC_GTEST_PROP(MakePlanProperty, SameArgumentsSamePlan, (std::uint64_t seed)) {
  const int trial = *rc::gen::inRange(1, 100);
  const auto planned = [&] { return to_json(make_plan(sample(""), "get_lock", seed, trial)); };
  RC_ASSERT(planned() == planned());
}

// plan.json of each scenario that the house has, whole: load, faults, minima, clients.
TEST(MakePlan, EveryScenariosPlanRoundTrips) {
  const TemporaryFolder folder;
  int plans = 0;
  for (const auto& suite : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/scenarios")) {
    for (const auto& scenario : load_suite(suite.path().string())) {
      for (const auto& lock : scenario.locks) {
        const Plan plan = make_plan(scenario, lock, 42, 1);
        const auto path = folder.write("plan.json", to_json(plan).dump());
        EXPECT_EQ(to_json(load_plan(path)), to_json(plan)) << scenario.name;
        const Settings settings = scenario.settings_of(lock);
        EXPECT_EQ(plan.clients.size(), static_cast<std::size_t>(settings.load.clients) + settings.faults.size());
        EXPECT_EQ(plan.faults.size(), settings.faults.size());
        EXPECT_EQ(plan.load.lease_ms, settings.load.lease_ms);
        EXPECT_EQ(plan.minima.grants, settings.minima.grants);
        ++plans;
      }
    }
  }
  EXPECT_GE(plans, 20);
}

TEST(MakePlan, SeedsDifferByRunLockScenarioTrialAndClient) {
  std::set<std::uint64_t> seeds;
  int made = 0;
  for (const std::uint64_t run : {0, 1, 2}) {
    for (const char* lock : {"a", "b", "b+found_rows"}) {
      for (const char* scenario : {"x", "y"}) {
        for (int trial = 1; trial <= 50; ++trial, ++made) seeds.insert(trial_seed(run, lock, scenario, trial));
      }
    }
  }
  EXPECT_EQ(seeds.size(), static_cast<std::size_t>(made));
  const Plan plain = make_plan(sample(""), "get_lock", 1, 1);
  std::set<std::uint64_t> clients;
  for (const auto& client : plain.clients) clients.insert(client.seed);
  EXPECT_EQ(clients.size(), plain.clients.size());
}

// A seed that was printed yesterday must repeat today's plan: these numbers never change.
TEST(MakePlan, SeedsAreTheSameOnEveryMachine) {
  EXPECT_EQ(trial_seed(42, "insert_lease", "pause", 1), 928397520856713218ULL);
}

TEST(MakePlan, SharedAddressesPutClientsOnOneNode) {
  const Plan plan = make_plan(sample(R"(, "shared_addresses": 2)"), "get_lock", 1, 1);
  std::vector<std::uint32_t> nodes;
  for (const auto& client : plan.clients) nodes.push_back(client.node);
  nodes.resize(5);
  EXPECT_EQ(nodes, (std::vector<std::uint32_t>{0, 0, 2, 3, 4}));
  for (const auto& client : make_plan(sample(""), "get_lock", 1, 1).clients) {
    EXPECT_TRUE(client.spare || client.node == client.client) << client.client;
  }
}

// Any fault may end its victim; its replacement was planned too.
TEST(MakePlan, HasASpareClientForEachFault) {
  const Plan plan = make_plan(sample(""), "get_lock", 1, 1);
  ASSERT_EQ(plan.clients.size(), 6u);
  for (std::uint32_t c = 0; c < 6; ++c) {
    EXPECT_EQ(plan.clients[c].client, c);
    EXPECT_EQ(plan.clients[c].spare, c == 5);
  }
}

}  // namespace
}  // namespace holdfast
