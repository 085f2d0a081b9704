// Points of a curve: which a fault has in a lock, in which order, and with which jobs.
#include "compare/curve_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adapter/manifest.hpp"
#include "lock/added_locks.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

LockFacts token_facts() {
  LockFacts out;
  out.shapes = {{Situation::granted, {"acquire"}, 9},
                {Situation::refused, {"acquire"}, 9},
                {Situation::released, {"release"}, 9}};
  return out;
}

std::vector<std::string> names_of_points(const AimedPoints& aimed) {
  std::vector<std::string> out;
  for (const auto& point : aimed.points) out.push_back(point.scenario.name);
  return out;
}

const AimedPoint& named(const AimedPoints& aimed, std::string_view name) {
  const auto found = std::find_if(aimed.points.begin(), aimed.points.end(),
                                  [&](const AimedPoint& point) { return point.scenario.name == name; });
  if (found == aimed.points.end()) throw std::runtime_error("no point " + std::string(name));
  return *found;
}

bool left_out(const AimedPoints& aimed, const std::string& part_of_why) {
  return std::any_of(aimed.left_out.begin(), aimed.left_out.end(),
                     [&](const CurveLeftOut& one) { return contains(one.why, part_of_why); });
}

TEST(CurvePoints, FollowTheLifeOfALock) {
  const AimedPoints aimed = aimed_points({"redis_token", "pause"}, token_facts());
  const std::vector<std::string> wanted{"no_fault_90",
                                        "no_fault_105",
                                        "acquire_before_acquire",
                                        "acquire_after_acquire",
                                        "hold_0",
                                        "hold_25",
                                        "hold_50",
                                        "hold_75",
                                        "hold_90",
                                        "hold_105",
                                        "release_before_release",
                                        "release_after_release"};
  EXPECT_EQ(names_of_points(aimed), wanted);
  EXPECT_EQ(aimed.lease_ms, 2000);
  EXPECT_EQ(aimed.for_ms, 400) << "a fifth of the lease";
  EXPECT_TRUE(aimed.left_out.empty());
}

TEST(CurvePoints, JobsEndAtTheirPoint) {
  const AimedPoints aimed = aimed_points({"redis_token", "pause", 300, 1000}, token_facts());
  const AimedPoint& point = named(aimed, "hold_75");
  EXPECT_EQ(point.part, CurvePart::hold);
  EXPECT_EQ(point.elapsed_ms, 750);
  EXPECT_EQ(point.scenario.load.hold_ms.least, 750);
  ASSERT_EQ(point.scenario.faults.size(), 1U);
  EXPECT_EQ(point.scenario.faults[0].for_ms, 300);
  EXPECT_EQ(point.scenario.faults[0].at.phase, "critical_section");
  EXPECT_TRUE(named(aimed, "no_fault_90").scenario.faults.empty());
  EXPECT_EQ(named(aimed, "release_before_release").elapsed_ms, 900);
  EXPECT_EQ(named(aimed, "acquire_after_acquire").scenario.faults[0].at.key, "free");
}

// It leaves by itself, so a job past the lease would never reach its write.
TEST(CurvePoints, CheckedDeadlinesLeaveOutTheLastPoint) {
  LockFacts facts = token_facts();
  facts.looks_at_deadline = true;
  const AimedPoints aimed = aimed_points({"redis_token", "pause"}, facts);
  const auto names = names_of_points(aimed);
  EXPECT_EQ(std::count(names.begin(), names.end(), "hold_105"), 0);
  EXPECT_EQ(std::count(names.begin(), names.end(), "no_fault_105"), 0);
  EXPECT_TRUE(left_out(aimed, "checks its deadline"));
}

TEST(CurvePoints, FaultsOfRequestsHaveOnlyTheirOwnPoints) {
  const AimedPoints lost = aimed_points({"redis_token", "reply_lost"}, token_facts());
  const std::vector<std::string> after{"no_fault_90", "no_fault_105", "acquire_after_acquire", "release_after_release"};
  EXPECT_EQ(names_of_points(lost), after);
  EXPECT_EQ(lost.for_ms, 0) << "it ends by itself";
  const AimedPoints held = aimed_points({"redis_token", "hold_request"}, token_facts());
  const std::vector<std::string> before{"no_fault_90", "no_fault_105", "acquire_before_request_1",
                                        "release_before_request_1"};
  EXPECT_EQ(names_of_points(held), before);
}

TEST(CurvePoints, KilledClientsHaveSentSomething) {
  const auto names = names_of_points(aimed_points({"redis_token", "kill"}, token_facts()));
  EXPECT_EQ(std::count(names.begin(), names.end(), "acquire_before_acquire"), 0);
  EXPECT_EQ(std::count(names.begin(), names.end(), "acquire_after_acquire"), 1);
}

TEST(CurvePoints, AdaptersAreStruckAtTheirRequests) {
  static const std::string name = [] {
    const Manifest manifest =
        read_manifest(R"({"name": "curve_adapter", "command": ["sh"], "servers": ["redis"]})", "f/lock.json");
    add_lock(manifest.name, lock_type_of(manifest));
    return manifest.name;
  }();
  LockFacts facts;
  facts.requests = {2, 1, 0, 1};
  const auto names = names_of_points(aimed_points({name, "pause"}, facts));
  for (const char* one : {"acquire_before_request_1", "acquire_after_request_1", "acquire_after_request_2",
                          "release_before_request_1", "release_after_request_1"}) {
    EXPECT_EQ(std::count(names.begin(), names.end(), one), 1) << one;
  }
  const AimedPoints block = aimed_points({name, "block"}, facts);
  EXPECT_TRUE(left_out(block, "does not declare `block`"));
}

TEST(CurvePoints, UnseenOperationsAreNamed) {
  LockFacts facts = token_facts();
  facts.shapes.pop_back();
  const AimedPoints aimed = aimed_points({"redis_token", "pause"}, facts);
  EXPECT_TRUE(left_out(aimed, "showed no statement"));
}

TEST(CurvePoints, OtherFaultsAreRefusedWithAList) {
  const auto all = aimable_faults();
  for (const char* fault : {"pause", "kill", "partition", "block", "reply_lost", "hold_request"}) {
    EXPECT_EQ(std::count(all.begin(), all.end(), fault), 1) << fault;
    EXPECT_EQ(refusal([&] { check_aimable(fault); }), "accepted");
  }
  for (const char* fault : {"server_kill", "client_skew", "schedule", "delay"}) {
    EXPECT_EQ(std::count(all.begin(), all.end(), fault), 0) << fault;
    const std::string words = refusal([&] { check_aimable(fault); });
    EXPECT_TRUE(contains(words, "cannot be aimed") && contains(words, "pause")) << words;
  }
  EXPECT_TRUE(contains(refusal([] { check_aimable("puase"); }), "did you mean 'pause'"));
}

}  // namespace
}  // namespace holdfast
