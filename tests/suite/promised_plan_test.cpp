// A lock of whole seconds is promised whole seconds, and the plan and the cell say so; others are promised what was
// asked for.
#include "suite/promised_plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace holdfast {
namespace {

Plan plan_with(const std::string& lock, std::int64_t lease_ms, std::vector<std::int64_t> leases_ms = {}) {
  Plan plan;
  plan.lock = lock;
  plan.load.lease_ms = lease_ms;
  plan.load.leases_ms = std::move(leases_ms);
  return with_promised_leases(plan);
}

TEST(PromisedPlan, WholeSecondsAreRoundedUp) {
  const Plan plan = plan_with("upsert_lease+found_rows", 1900);
  EXPECT_EQ(plan.load.lease_ms, 2000);
  EXPECT_EQ(plan.load.asked_leases_ms, std::vector<std::int64_t>{1900});
  EXPECT_EQ(to_json(plan)["asked_leases_ms"].dump(), "[1900]");
}

TEST(PromisedPlan, EachLeaseOfAList) {
  const Plan plan = plan_with("upsert_lease", 2100, {500, 2100, 1000});
  EXPECT_EQ(plan.load.leases_ms, (std::vector<std::int64_t>{1000, 3000, 1000}));
  EXPECT_EQ(plan.load.lease_ms, 3000);
}

TEST(PromisedPlan, WhatCanBePromisedStays) {
  for (const Plan& plan : {plan_with("upsert_lease", 2000), plan_with("fenced_lease", 1900)}) {
    EXPECT_TRUE(plan.load.asked_leases_ms.empty());
    EXPECT_EQ(to_json(plan).count("asked_leases_ms"), 0U);
  }
  EXPECT_EQ(plan_with("fenced_lease", 1900).load.lease_ms, 1900);
}

TEST(PromisedPlan, IsTold) {
  Load asked;
  asked.lease_ms = 1900;
  EXPECT_EQ(told_rounding("upsert_lease", asked),
            "A lease of 1900 ms was asked for, and 2000 ms promised: upsert_lease takes whole seconds.");
  EXPECT_EQ(told_rounding("fenced_lease", asked), "");
}

}  // namespace
}  // namespace holdfast
