// Scenarios with another lease: their times are the same in leases, and all else stays.
#include "suite/other_lease.hpp"

#include <gtest/gtest.h>

#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

Scenario scenario_of(TemporaryFolder& folder, const std::string& keys) {
  return load_scenario(folder.write("one.json", R"({"locks": ["redis_token"], "coverage": {"grants": 2}, "expect": {},
    )" + keys + "}"));
}

TEST(OtherLease, AllTimesGrowWithIt) {
  TemporaryFolder folder;
  const Scenario slow = with_lease(scenario_of(folder, R"("lease_ms": 2000, "hold_ms": [100, 201], "poll_ms": 50,
    "duration_ms": 8500, "clients": 3, "align_ms": 900, "faults": [
    {"fault": "pause", "at": {"phase": "critical_section", "nth": 2}, "for_ms": 4800},
    {"fault": "server_clock", "target": "server", "at": {"time_ms": 700}, "step_ms": -10000}])"),
                                   30000);
  EXPECT_EQ(slow.load.lease_ms, 30000);
  EXPECT_EQ(slow.load.hold_ms.least, 1500);
  EXPECT_EQ(slow.load.hold_ms.most, 3015);
  EXPECT_EQ(slow.load.poll_ms, 750);
  EXPECT_EQ(slow.load.duration_ms, 127500);
  EXPECT_EQ(slow.load.clients, 3);
  EXPECT_EQ(slow.load.align_ms, 900) << "a part of a second";
  EXPECT_EQ(slow.faults.at(0).for_ms, 72000);
  EXPECT_EQ(slow.faults.at(0).at.nth, 2);
  EXPECT_EQ(slow.faults.at(1).at.time_ms, 10500);
  EXPECT_EQ(slow.faults.at(1).settings.find("step_ms")->integer, -150000);
  EXPECT_EQ(slow.name, "one");
}

TEST(OtherLease, TimesThatTheFileLeavesOutGrowToo) {
  TemporaryFolder folder;
  const Load usual;
  const Scenario slow = with_lease(scenario_of(folder, R"("clients": 3)"), 3 * usual.lease_ms);
  EXPECT_EQ(slow.load.lease_ms, 3 * usual.lease_ms);
  EXPECT_EQ(slow.load.duration_ms, 3 * usual.duration_ms);
  EXPECT_EQ(slow.load.progress_bound_ms, 3 * usual.progress_bound_ms);
  EXPECT_EQ(slow.load.poll_ms, 3 * usual.poll_ms);
  EXPECT_EQ(slow.load.hold_ms.most, 3 * usual.hold_ms.most);
}

TEST(OtherLease, LeasesOfSingleClientsKeepTheirRatio) {
  TemporaryFolder folder;
  const Scenario slow = with_lease(scenario_of(folder, R"("lease_ms": [2000, 1000])"), 8000);
  EXPECT_EQ(slow.load.leases_ms, (std::vector<std::int64_t>{8000, 4000}));
}

TEST(OtherLease, TheSameLeaseChangesNothing) {
  TemporaryFolder folder;
  const Scenario same = with_lease(scenario_of(folder, R"("lease_ms": 2000, "duration_ms": 8500)"), 2000);
  EXPECT_EQ(same.load.duration_ms, 8500);
}

TEST(OtherLease, TimesThatBecomeTooLongAreRefused) {
  TemporaryFolder folder;
  const Scenario scenario = scenario_of(folder, R"("lease_ms": 1000, "duration_ms": 100000)");
  EXPECT_NE(refusal([&] { with_lease(scenario, 86'400'000); }), "accepted");
}

}  // namespace
}  // namespace holdfast
