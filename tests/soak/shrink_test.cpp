#include "soak/shrink.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;
using std::chrono::hours;
using std::chrono::steady_clock;

const Json kFound = {
    {"clients", 6}, {"duration_ms", 9000}, {"faults", {{{"fault", "pause"}, {"for_ms", 4000}}, {{"fault", "kill"}}}}};

class Shrinks : public ::testing::Test {
 protected:
  Shrunk run(const ShowsAgain& shows) { return shrink(kFound, shows, limits_); }

  std::atomic<bool> interrupted_{false};
  ShrinkLimits limits_{.interrupted = &interrupted_, .until = steady_clock::now() + hours(1)};
};

TEST_F(Shrinks, ToNeededParts) {
  const Shrunk shrunk = run([](const Json& one, int) {
    const Json& faults = one.at("faults");
    return one.at("clients") >= 3 && !faults.empty() && faults[0].at("fault") == "pause";
  });
  EXPECT_EQ(shrunk.scenario.at("clients"), 3);
  EXPECT_EQ(shrunk.scenario.at("faults").size(), 1U);
  EXPECT_EQ(shrunk.scenario.at("faults")[0].at("fault"), "pause");
  EXPECT_LT(shrunk.scenario.at("faults")[0].at("for_ms"), 200);
  EXPECT_TRUE(shrunk.ended);
  EXPECT_EQ(shrunk.shown, 5);
  EXPECT_EQ(shrunk.again, 5);
}

TEST_F(Shrinks, NotIfItNeverShowsAgain) {
  const Shrunk shrunk = run([](const Json&, int) { return false; });
  EXPECT_EQ(shrunk.scenario, kFound);
  EXPECT_EQ(shrunk.trials, 6 * 3 + 5);
  EXPECT_EQ(shrunk.shown, 0);
}

TEST_F(Shrinks, OnlyIfItShowsInTwoOfThreeTrials) {
  const Shrunk rare = run([](const Json&, int trial) { return trial % 3 == 0; });
  EXPECT_EQ(rare.scenario, kFound);
  EXPECT_LT(rare.shown, 5);
  const Shrunk often = run([](const Json&, int trial) { return trial % 3 != 0; });
  EXPECT_EQ(often.scenario.at("clients"), 2);
  EXPECT_TRUE(often.scenario.at("faults").empty());
}

TEST_F(Shrinks, WithinItsTrials) {
  limits_.most_trials = 7;
  const Shrunk shrunk = run([](const Json&, int) { return false; });
  EXPECT_EQ(shrunk.trials, 7 + 5);
  EXPECT_FALSE(shrunk.ended);
}

TEST_F(Shrinks, StopsWhenInterrupted) {
  const Shrunk shrunk = run([this](const Json&, int trial) {
    if (trial == 2) interrupted_ = true;
    return false;
  });
  EXPECT_EQ(shrunk.trials, limits_.tries) << "what has begun ends";
  EXPECT_EQ(shrunk.again, 0);
  EXPECT_FALSE(shrunk.ended);
}

TEST_F(Shrinks, SkipsInvalidScenarios) {
  const Shrunk shrunk = run([](const Json& one, int) -> bool {
    if (one.at("faults").size() < 2) throw BadInput("no sense");
    return true;
  });
  EXPECT_EQ(shrunk.scenario.at("faults").size(), 2U);
  EXPECT_EQ(shrunk.scenario.at("clients"), 2);
}

}  // namespace
}  // namespace holdfast
