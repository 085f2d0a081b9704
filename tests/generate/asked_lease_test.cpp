// A suite that is made for a lock with the lease that is asked for.
#include <gtest/gtest.h>

#include <algorithm>

#include "generate/generated_suite.hpp"

namespace holdfast {
namespace {

TEST(GeneratedSuite, AsksForTheWantedLeaseAndLastsLonger) {
  constexpr std::int64_t kLease_ms = 30'000;
  const auto load_of = [](const Scenario& one) { return one.settings_of("fenced_lease").load; };
  const Scenario lapses = lapses_scenario("fenced_lease", kLease_ms);
  EXPECT_EQ(load_of(lapses).lease_ms, kLease_ms);
  EXPECT_EQ(load_of(lapses).poll_ms, 750) << "30 ms of a lease of 1200 ms";
  EXPECT_GT(load_of(lapses).duration_ms, 2 * kLease_ms) << "a pause that outlasts it, and a lease that runs out";
  const GeneratedSuite suite = generate_suite("fenced_lease", {}, kLease_ms);
  const auto killed = std::find_if(suite.scenarios.begin(), suite.scenarios.end(),
                                   [](const Scenario& one) { return one.name == "kill_critical_section"; });
  ASSERT_NE(killed, suite.scenarios.end());
  EXPECT_EQ(load_of(*killed).lease_ms, kLease_ms);
  EXPECT_GT(load_of(*killed).duration_ms, kLease_ms) << "the dead holder's lease runs out in the trial";
  EXPECT_EQ(foresee_suite("fenced_lease", kLease_ms).sure.size(), foresee_suite("fenced_lease").sure.size());
}

}  // namespace
}  // namespace holdfast
