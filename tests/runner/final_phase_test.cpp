// The length of a trial's end: the longest lease of any client, and the longest wait of an attempt at the server.
#include "runner/trial.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

Plan plan_of(const std::string& lease_ms) {
  const JsonNode root = parse_json_text(R"({"lease_ms": )" + lease_ms + "}", "a.json");
  ObjectReader in(root);
  Plan plan;
  read_load_keys(in, plan.load);
  return plan;
}

TEST(FinalPhase, TakesTheLongestLease) {
  const LockType leased{};
  EXPECT_EQ(final_phase_ns(plan_of("[500, 4000, 900]"), leased), final_phase_ns(plan_of("4000"), leased));
  EXPECT_EQ(final_phase_ns(plan_of("[4000]"), leased) - final_phase_ns(plan_of("1000"), leased), 3 * kSecond_ns);
}

TEST(FinalPhase, HasRoomForAnAttemptThatWaits) {
  const LockType at_once{.lease = false};
  const LockType waits{.lease = false, .waits = true, .waits_ms = 2500};
  EXPECT_EQ(longest_wait_ms(at_once), 0);
  EXPECT_EQ(longest_wait_ms(waits), 2500);
  EXPECT_EQ(final_phase_ns(plan_of("1000"), waits) - final_phase_ns(plan_of("1000"), at_once), 2'500'000'000);
}

}  // namespace
}  // namespace holdfast
