// Requests of an adapter that a trial has counted: which of them are struck.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "adapter/manifest.hpp"
#include "generate/generated_suite.hpp"
#include "lock/added_locks.hpp"
#include "nemesis/fault.hpp"
#include "suite/suite.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

const std::string& counted_adapter() {
  static const std::string name = [] {
    const Manifest manifest = read_manifest(
        R"({"name": "counted_adapter", "command": ["sh"], "servers": ["redis"], "can": ["renew"]})", "f/lock.json");
    add_lock(manifest.name, lock_type_of(manifest));
    return manifest.name;
  }();
  return name;
}

std::int64_t has(const GeneratedSuite& suite, std::string_view name) {
  return std::count_if(suite.scenarios.begin(), suite.scenarios.end(), [&](const auto& s) { return s.name == name; });
}

const Scenario& found_in(const GeneratedSuite& suite, std::string_view name) {
  return *std::find_if(suite.scenarios.begin(), suite.scenarios.end(), [&](const auto& s) { return s.name == name; });
}

// Three requests for a grant, two for a refusal and for a release.
LockFacts counted() {
  LockFacts facts;
  facts.requests = {3, 2, 1, 2};
  return facts;
}

TEST(RequestScenarios, EachRequestThatWasCountedIsStruck) {
  const GeneratedSuite suite = generate_suite(counted_adapter(), counted());
  for (const char* fault : {"reply_lost", "request_lost"}) {
    const auto struck = [&](const std::string& operation) {
      std::set<std::int64_t> out;
      for (const auto& one : found_in(suite, fault + ("_later_requests_of_" + operation)).faults)
        out.insert(one.at.request);
      return out;
    };
    EXPECT_EQ(struck("acquire"), (std::set<std::int64_t>{2, 3})) << fault;
    EXPECT_EQ(struck("refused_acquire"), (std::set<std::int64_t>{2})) << fault;
    EXPECT_EQ(struck("release"), (std::set<std::int64_t>{2})) << fault;
    EXPECT_EQ(has(suite, fault + std::string("_later_requests_of_renew")), 0) << "it has one";
  }
  for (const char* fault : {"kill", "pause", "cut"}) {
    const auto& between = found_in(suite, fault + std::string("_between_requests_of_acquire")).faults;
    ASSERT_EQ(between.size(), 2U) << fault;
    EXPECT_EQ(between.at(1).at.request, 2) << fault;
    EXPECT_TRUE(between.at(1).at.after) << "the server has executed it: " << fault;
    EXPECT_EQ(found_in(suite, fault + std::string("_between_requests_of_release")).faults.size(), 1U) << fault;
  }
  SuiteOptions options;
  options.scenarios = suite.scenarios;
  EXPECT_EQ(refusal([&] { plan_cells(options); }), "accepted");
}

// Extra requests of a refused attempt (a place in a queue that it leaves) are struck while another holds the key, and
// do not count for a grant.
TEST(RequestScenarios, RefusedAttemptsOfAnAdapterHaveTheirOwnScenarios) {
  const GeneratedSuite suite = generate_suite(counted_adapter(), counted());
  for (const char* name : {"reply_lost_refused_acquire_request", "request_lost_later_requests_of_refused_acquire",
                           "kill_between_requests_of_refused_acquire"}) {
    for (const auto& fault : found_in(suite, name).faults) {
      EXPECT_EQ(fault.at.key, "held") << name;
      EXPECT_EQ(aim_of(fault), FaultAim::none) << name;
    }
  }
}

// An advisory lock counts how often its session has taken it.
TEST(GeneratedSuite, RequestsOfALockWithoutALeaseAreNotDuplicated) {
  const Manifest manifest = read_manifest(
      R"({"name": "an_advisory_lock", "command": ["sh"], "servers": ["postgres"], "lease": false})", "f/lock.json");
  add_lock(manifest.name, lock_type_of(manifest));
  const GeneratedSuite suite = generate_suite(manifest.name, {});
  EXPECT_EQ(has(suite, "duplicate_acquire_request"), 0);
  EXPECT_EQ(has(suite, "hold_release_request"), 1);
  const auto told = std::find_if(suite.left_out.begin(), suite.left_out.end(),
                                 [](const NotTried& one) { return one.what == "requests that arrive twice"; });
  ASSERT_NE(told, suite.left_out.end());
  EXPECT_NE(told->why.find("it belongs to a session"), std::string::npos) << told->why;
}

}  // namespace
}  // namespace holdfast
