// Assertions of a lock's author: one `always` that is false is a violation, and everything is counted.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

constexpr const char* kAsserted = "author_assertions";

HistoryBuilder asserting() {
  return HistoryBuilder::run(2000)
      .header([](HistoryHeader& header) { header.promises = {kAsserted}; })
      .acquire(1, 100, 110)
      .release(1, 490, 500);
}

Evaluated always(std::int64_t count, const std::string& why = "") {
  return {AssertionKind::always, "silent after release", count, why};
}

AssertionCount count_of(const TrialVerdict& verdict, const std::string& name) {
  const auto& all = verdict.find(kAsserted)->assertions;
  const auto found = std::find_if(all.begin(), all.end(), [&name](const auto& one) { return one.name == name; });
  return found == all.end() ? AssertionCount{} : *found;
}

TEST(Assertions, FalseAlwaysIsAViolation) {
  const auto verdict = asserting()
                           .asserted(1, 300, EventType::ok, always(1))
                           .asserted(1, 700, EventType::fail, always(1, "renewed"))
                           .check();
  EXPECT_EQ(said(verdict, kAsserted), "violated:assertion_failed");
  const Witness& witness = verdict.find(kAsserted)->witnesses.at(0);
  EXPECT_EQ(witness.key, "silent after release");
  EXPECT_EQ(witness.clients, std::vector<std::uint32_t>{1});
  EXPECT_EQ(witness.from_ns, 700'000'000);
  EXPECT_EQ(
      witness.text,
      "The lock of client 1 evaluated always \"silent after release\" at 0.700 s (#5), and it was false: renewed.");
}

TEST(Assertions, TrueAlwaysHolds) {
  EXPECT_EQ(said(asserting().asserted(1, 300, EventType::ok, always(1)).check(), kAsserted), "holds");
}

// The counts of a client are sums; those of several clients add up.
TEST(Assertions, EvaluationsAreCounted) {
  const auto verdict = asserting()
                           .asserted(1, 600, EventType::ok, always(1))
                           .asserted(1, 610, EventType::ok, always(4))
                           .asserted(2, 620, EventType::ok, always(3))
                           .asserted(2, 630, EventType::fail, always(1))
                           .asserted(2, 640, EventType::fail, always(2))
                           .check();
  EXPECT_EQ(count_of(verdict, "silent after release").held, 7);
  EXPECT_EQ(count_of(verdict, "silent after release").failed, 2);
  EXPECT_EQ(verdict.find(kAsserted)->count, 1) << "a violation for each client and assertion";
  EXPECT_EQ(verdict.find(kAsserted)->coverage.at("always_evaluated"), 9);
}

TEST(Assertions, OthersAreCountedButNotJudged) {
  const auto verdict = asserting()
                           .asserted(1, 600, EventType::fail, {AssertionKind::sometimes, "retry", 3, ""})
                           .asserted(1, 610, EventType::info, {AssertionKind::reached, "fallback", 0, ""})
                           .check();
  EXPECT_EQ(said(verdict, kAsserted), "not_applicable");
  EXPECT_EQ(count_of(verdict, "retry").failed, 3);
  EXPECT_FALSE(is_reached(count_of(verdict, "retry")));
  EXPECT_EQ(count_of(verdict, "fallback").name, "fallback") << "known although never reached";
}

TEST(Assertions, LockWithoutThemIsNotJudged) {
  EXPECT_EQ(said(asserting().check(), kAsserted), "not_applicable");
}

}  // namespace
}  // namespace holdfast
