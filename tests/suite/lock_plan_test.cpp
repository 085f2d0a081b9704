// A lock of whole seconds is promised whole seconds, and the plan and the cell say so; others are promised what was
// asked for.
#include "suite/trial_job.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace holdfast {
namespace {

Plan plan_with(const std::string& lock, std::int64_t lease_ms, std::vector<std::int64_t> leases_ms = {}) {
  Plan plan;
  plan.lock = lock;
  plan.load.lease_ms = lease_ms;
  plan.load.leases_ms = std::move(leases_ms);
  return fitted_to_lock(plan);
}

TEST(LockPlan, LeaseIsRoundedUpToWholeSeconds) {
  const Plan plan = plan_with("upsert_lease+found_rows", 1900);
  EXPECT_EQ(plan.load.lease_ms, 2000);
  EXPECT_EQ(plan.load.asked_leases_ms, std::vector<std::int64_t>{1900});
  EXPECT_EQ(to_json(plan)["asked_leases_ms"].dump(), "[1900]");
}

TEST(LockPlan, EachListedLeaseIsRounded) {
  const Plan plan = plan_with("upsert_lease", 2100, {500, 2100, 1000});
  EXPECT_EQ(plan.load.leases_ms, (std::vector<std::int64_t>{1000, 3000, 1000}));
  EXPECT_EQ(plan.load.lease_ms, 3000);
}

TEST(LockPlan, ExactLeaseIsKept) {
  for (const Plan& plan : {plan_with("upsert_lease", 2000), plan_with("fenced_lease", 1900)}) {
    EXPECT_TRUE(plan.load.asked_leases_ms.empty());
    EXPECT_EQ(to_json(plan).count("asked_leases_ms"), 0U);
  }
  EXPECT_EQ(plan_with("fenced_lease", 1900).load.lease_ms, 1900);
}

TEST(LockPlan, RoundingIsReported) {
  Load asked;
  asked.lease_ms = 1900;
  EXPECT_EQ(told_rounding("upsert_lease", asked),
            "A lease of 1900 ms was requested, but 2000 ms is promised: upsert_lease takes only whole seconds.");
  EXPECT_EQ(told_rounding("fenced_lease", asked), "");
}

TEST(LockPlan, DefaultsToTheLocksIsolationAndTick) {
  EXPECT_EQ(plan_with("insert_lease", 2000).load.isolation, std::vector<std::string>{"read_committed"});
  EXPECT_EQ(plan_with("insert_lease_autocommit", 2000).load.isolation, std::vector<std::string>{"repeatable_read"});
  LockType of_postgres;
  of_postgres.server = "postgres";
  EXPECT_EQ(isolation_of(of_postgres), "read_committed") << "its server's default";
  EXPECT_EQ(plan_with("redis_token", 2000).load.isolation, std::vector<std::string>{}) << "it has no sessions";
  EXPECT_EQ(plan_with("leader_version_cas+found_rows", 3000).load.tick_ms, 1000);
  Plan named;
  named.lock = "leader_version_cas";
  named.load.tick_ms = 300;
  named.load.isolation = {"serializable"};
  EXPECT_EQ(fitted_to_lock(named).load.tick_ms, 300);
  EXPECT_EQ(fitted_to_lock(named).load.isolation, std::vector<std::string>{"serializable"});
  named.lock = "insert_lease";
  EXPECT_EQ(fitted_to_lock(named).load.tick_ms, 0) << "its processes do not tick";
}

}  // namespace
}  // namespace holdfast
