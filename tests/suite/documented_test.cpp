// Expectations of a lock whose documentation rules a fault out.
#include "suite/documented.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "adapter/manifest.hpp"
#include "lock/lock.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

using Expected = std::map<std::string, std::string>;

// One whose clients' clocks are to agree.
std::string clocked() {
  static const std::string name = [] {
    Manifest manifest;
    manifest.name = "clocked_by_clients";
    manifest.promises = {{"lease_exclusion", "page 1"}, {"mutual_exclusion", "page 1"}, {"progress", "page 1"}};
    manifest.assumes = {{"client_skew", "page 2"}, {"server_lost_state", "page 3"}};
    add_lock(manifest.name, {.server = "mysql", .manifest = std::make_shared<const Manifest>(manifest)});
    return manifest.name;
  }();
  return name;
}

class Documented : public testing::Test {
 protected:
  Scenario scenario(const std::string& lock, const std::string& fault) {
    const std::string given = R"({"locks": [")" + lock + R"("], "faults": [)" + fault + "], ";
    return load_scenario(folder_.write("x.json", given + R"("expect": {"*": {
      "mutual_exclusion": "allowed:overrun", "lease_exclusion": "allowed", "resource": "allowed"}}})"));
  }

 private:
  TemporaryFolder folder_;
};

const std::string kSkew = R"({"fault": "client_skew", "target": "holder", "at": {"time_ms": 2000}, "step_ms": 3500})";
const std::string kPause = R"({"fault": "pause", "target": "holder", "at": {"time_ms": 2000}, "for_ms": 3500})";

TEST_F(Documented, RuledOutFaultsAllowViolationsOfPromises) {
  const Scenario skewed = scenario(clocked(), kSkew);
  EXPECT_EQ(documented_expectations(skewed, clocked()), (Expected{{"author_assertions", "holds_but:client_skew"},
                                                                  {"mutual_exclusion", "allowed:overrun,client_skew"},
                                                                  {"lease_exclusion", "allowed:client_skew"},
                                                                  {"progress", "holds_but:client_skew"},
                                                                  {"resource", "allowed"}}));
  EXPECT_EQ(documented_reasons(skewed, clocked()), "Its documentation rules out client_skew: page 2.");
}

TEST_F(Documented, ServerEndMayLoseStateAndKindsAreUnique) {
  const Scenario killed = scenario(clocked(), R"({"fault": "server_kill", "at": {"time_ms": 2000}})");
  EXPECT_EQ(documented_expectations(killed, clocked()).at("progress"), "holds_but:server_lost_state");
  Scenario skewed = scenario(clocked(), kSkew);
  skewed.expect["*"]["mutual_exclusion"] = "allowed:client_skew";
  EXPECT_EQ(documented_expectations(skewed, clocked()).at("mutual_exclusion"), "allowed:client_skew");
}

TEST_F(Documented, OtherFaultsUseTheScenariosExpectations) {
  const Scenario paused = scenario(clocked(), kPause);
  EXPECT_EQ(documented_expectations(paused, clocked()), paused.expected_of(clocked()));
  EXPECT_EQ(documented_reasons(paused, clocked()), "");
}

TEST_F(Documented, LockWithoutRuledOutFaultsUsesTheScenarios) {
  const Scenario skewed = scenario("get_lock", kSkew);
  EXPECT_EQ(documented_expectations(skewed, "get_lock"), skewed.expected_of("get_lock"));
  EXPECT_EQ(documented_reasons(skewed, "get_lock"), "");
}

}  // namespace
}  // namespace holdfast
