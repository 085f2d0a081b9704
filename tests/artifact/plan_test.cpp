// plan.json: what the runner reads is what was planned; a damaged plan is refused.
#include "artifact/plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

nlohmann::json sample() {
  return nlohmann::json::parse(R"({
    "holdfast_plan": 2, "lock": "upsert_lease+found_rows", "scenario": "pause", "seed": "18446744073709551615",
    "clients": 2, "keys": 3, "lease_ms": 1500, "hold_ms": [70, 80], "pause_ms": [1, 2], "poll_ms": 9,
    "poll_aligned": true, "duration_ms": 4000, "progress_bound_ms": 700, "silence_ms": 5, "shared_addresses": 2,
    "after_info": "retry", "time_zone": ["+00:00", "+08:00"], "isolation": ["serializable"],
    "reads": ["primary", "replica"], "connects": ["server:1"],
    "server_id": "one", "value": "with_own_id", "reenter": true,
    "coverage": {"grants": 4, "attempts_in_hold": 0},
    "server": {"innodb_flush_log_at_trx_commit": 2, "redis_persistence": "aof_always"},
    "topology": "replica",
    "faults": [{"fault": "client_skew", "at": {"phase": "refused", "of": "acquire", "key": "held", "nth": 2},
                "step_ms": -3, "for_ms": 10}],
    "client_plans": [{"client": 0, "node": 0, "seed": "9223372036854775808", "spare": false},
                     {"client": 1, "node": 0, "seed": "1", "spare": false},
                     {"client": 2, "node": 0, "seed": "2", "spare": true}]})");
}

Plan loaded(const nlohmann::json& json) {
  const TemporaryFolder folder;
  return load_plan(folder.write("plan.json", json.dump(2)));
}

TEST(Plan, RoundTrip) {
  const Plan plan = loaded(sample());
  EXPECT_EQ(plan.seed, UINT64_MAX);
  EXPECT_EQ(plan.clients.at(0).seed, 1ULL << 63U);
  EXPECT_EQ(to_json(plan), sample());
  EXPECT_EQ(to_json(loaded(to_json(plan))), sample());
}

TEST(Plan, DamageIsRefused) {
  const auto plan_refusal = [](const std::function<void(nlohmann::json&)>& damage) {
    auto json = sample();
    damage(json);
    return refusal([&] { loaded(json); });
  };
  EXPECT_EQ(plan_refusal([](auto&) {}), "accepted");
  EXPECT_TRUE(contains(plan_refusal([](auto& p) { p.erase("lock"); }), "'lock' is missing"));
  EXPECT_TRUE(contains(plan_refusal([](auto& p) { p["holdfast_plan"] = 3; }), "must be from 1 to 2"));
  EXPECT_TRUE(contains(plan_refusal([](auto& p) { p["more"] = 2; }), "unknown key 'more'"));
  EXPECT_TRUE(contains(plan_refusal([](auto& p) { p["seed"] = "12x"; }), "seed: expected a string of digits"));
  EXPECT_TRUE(
      contains(plan_refusal([](auto& p) { p["client_plans"][1]["seed"] = ""; }), "expected a string of digits"));
  EXPECT_TRUE(contains(plan_refusal([](auto& p) { p["client_plans"].erase(1); }),
                       "client_plans: must have one entry per client"));
}

}  // namespace
}  // namespace holdfast
