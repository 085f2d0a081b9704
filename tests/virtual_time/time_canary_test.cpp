// The guard of a trial in skipped time: silent where its clock is right, and heard where a byte does not arrive in
// time.
#include "virtual_time/time_canary.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

TEST(CanaryDoubts, MissingMeasureMissingAnswerAndEarlyEnd) {
  EXPECT_TRUE(canary_doubts(10, 0, 0).empty());
  EXPECT_TRUE(canary_doubts(10, 0, 4 * kMillisecond_ns).empty());
  EXPECT_EQ(canary_doubts(0, 0, 0).size(), 1U);
  EXPECT_EQ(canary_doubts(10, 1, 0).size(), 1U);
  EXPECT_EQ(canary_doubts(10, 0, 6 * kMillisecond_ns).front(), "a sleep of the canary ended 6 ms early");
}

class Canary : public testing::Test {
 protected:
  static void SetUpTestSuite() {  // a lab has one network
    network_ = std::make_unique<Network>(std::string(std::getenv("HOLDFAST_VIRTUAL_TIME_TEST_FOLDER")) + "/lab.log");
    resource_ = network_->add_node("resource", {kResourceAddress, kCanaryAddress}, true);
    client_ = network_->add_node("n0", {Network::client_address(0)});
    network_->up();
  }
  static void TearDownTestSuite() { network_.reset(); }

  static std::vector<std::string> doubts_after(const DroppingRules& rules) {
    TimeCanary canary(network_->node(client_), network_->node(resource_), kCanaryAddress);
    network_->filter(network_->node(client_), rules);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    network_->filter(network_->node(client_), {});
    return canary.doubts();
  }

  static inline std::unique_ptr<Network> network_;
  static inline std::size_t resource_ = 0, client_ = 0;
};

TEST_F(Canary, IsSilentIfBytesArrive) {
  EXPECT_EQ(doubts_after({}), std::vector<std::string>{});
}

TEST_F(Canary, IsSilentIfAFaultCutsTheResource) {
  DroppingRules rules;
  rules.drop_to(kResourceAddress);
  rules.drop_from(kResourceAddress);
  EXPECT_EQ(doubts_after(rules), std::vector<std::string>{});
}

TEST_F(Canary, ReportsAMissingByte) {
  DroppingRules rules;
  rules.drop_to(kCanaryAddress);
  EXPECT_EQ(doubts_after(rules).size(), 1U);
}

}  // namespace
}  // namespace holdfast
