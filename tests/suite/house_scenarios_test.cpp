// The scenarios that come with the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "lock/lock.hpp"
#include "suite/suite.hpp"

namespace holdfast {
namespace {

// A flaw that is caught proves something only if the same plan without the flaw comes out clean.
TEST(HouseScenarios, EveryExpectedViolationHasAControl) {
  int broken = 0;
  for (const auto& suite : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/scenarios")) {
    SuiteOptions options;
    options.scenarios = load_suite(suite.path().string());
    const auto cells = plan_cells(options);
    for (const auto& scenario : options.scenarios) {
      for (const auto& lock : scenario.locks) {
        const auto expected = scenario.expected_of(lock);
        const bool violated = std::any_of(expected.begin(), expected.end(),
                                          [](const auto& e) { return e.second.rfind("violated", 0) == 0; });
        if (!violated) continue;
        ++broken;
        EXPECT_NE(scenario.control_of(lock), nullptr) << suite.path() << ": " << lock << "/" << scenario.name;
      }
    }
  }
  EXPECT_GE(broken, 20);
}

// A cell that judges nothing, as expected, is not a pass: each has a property that its lock promises and that must hold
// or be violated.
TEST(HouseScenarios, EveryCellJudgesSomething) {
  for (const auto& scenario : load_suite(std::string(HOLDFAST_SOURCE) + "/scenarios")) {
    for (const auto& lock : scenario.locks) {
      const auto expected = scenario.expected_of(lock);
      const auto promised = find_entry(locks(), parse_lock_ref(lock).lock)->promises();
      EXPECT_TRUE(std::any_of(promised.begin(), promised.end(),
                              [&expected](const std::string& property) {
                                const auto stated = expected.find(property);
                                return stated == expected.end() || stated->second == "holds" ||
                                       stated->second.rfind("violated", 0) == 0;
                              }))
          << lock << "/" << scenario.name;
    }
  }
}

// All suites run at once as well, and then a cell's name must be of one suite only.
TEST(HouseScenarios, AllSuitesTogetherHaveUniqueCells) {
  const std::string folder = std::string(HOLDFAST_SOURCE) + "/scenarios";
  std::size_t apart = 0;
  for (const auto& suite : std::filesystem::directory_iterator(folder)) {
    SuiteOptions options;
    options.scenarios = load_suite(suite.path().string());
    apart += plan_cells(options).size();
  }
  SuiteOptions all;
  all.scenarios = load_suite(folder);
  EXPECT_EQ(plan_cells(all).size(), apart);
}

}  // namespace
}  // namespace holdfast
