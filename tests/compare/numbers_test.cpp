// Percentiles, sums and k of n.
#include "compare/numbers.hpp"

#include <gtest/gtest.h>

#include "compare/compare.hpp"

namespace holdfast {
namespace {

TEST(Numbers, PercentilesAreOfTheNearestRank) {
  std::vector<std::int64_t> waits;
  for (std::int64_t i = 1; i <= 200; ++i) waits.push_back(i);
  const auto all = latency_of(waits);
  EXPECT_EQ(all.count, 200);
  EXPECT_EQ(all.p50_ns, 100);
  EXPECT_EQ(all.p99_ns, 198);
  EXPECT_EQ(all.most_ns, 200);
  EXPECT_EQ(latency_of({7}).p99_ns, 7);
  EXPECT_EQ(latency_of({3, 9}).p50_ns, 3);
  EXPECT_EQ(latency_of({}).count, 0);
}

TEST(Numbers, SumsAndWorstOfAllTrials) {
  Service a;
  a.load_ns = 1'000'000'000;
  a.grants = 4;
  a.statements = 10;
  a.unavailable_ns = 5;
  a.longest_gap_ns = 5;
  a.contended_ns = {1, 2};
  a.recoveries = {{"pause", 10, 30}};
  Service b = a;
  b.longest_gap_ns = 9;
  b.contended_ns = {9};
  b.recoveries = {{"pause", 10, -1}};
  const auto all = numbers_of({&a, &b});
  EXPECT_EQ(all.trials, 2);
  EXPECT_DOUBLE_EQ(all.grants_per_s(), 4.0);
  EXPECT_DOUBLE_EQ(all.statements_per_grant(), 2.5);
  EXPECT_EQ(all.unavailable_ns, 10);
  EXPECT_EQ(all.longest_gap_ns, 9);
  EXPECT_EQ(all.contended.count, 3);
  EXPECT_EQ(all.contended.p50_ns, 2);
  EXPECT_EQ(all.recoveries, 2);
  EXPECT_EQ(all.unrecovered, 1);
  EXPECT_EQ(all.slowest_recovery_ns, 30);
  EXPECT_EQ(numbers_of({}).grants_per_s(), 0);
}

ComparedTrial judged(Judgement judgement) {
  ComparedTrial trial;
  trial.properties = {{"resource", judgement, {}, "so it was", 0, 0}};
  if (judgement == Judgement::violated) trial.properties[0].kinds = {{"overrun", 2}};
  return trial;
}

TEST(Numbers, OnlyJudgedTrialsCount) {
  const auto all = safety_of({judged(Judgement::violated), judged(Judgement::holds), judged(Judgement::undecided),
                              judged(Judgement::not_exercised), judged(Judgement::not_applicable)});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].violated, 1);
  EXPECT_EQ(all[0].judged, 2);
  EXPECT_EQ(all[0].undecided, 1);
  EXPECT_EQ(all[0].not_exercised, 1);
  EXPECT_EQ(all[0].kinds.at("overrun"), 2);
  EXPECT_TRUE(safety_of({judged(Judgement::not_applicable)}).empty());
}

TEST(Numbers, BinsCountEveryGrant) {
  const auto bins = by_bin({0, kBin_ns - 1, kBin_ns, 3 * kBin_ns}, 2 * kBin_ns + 1);
  EXPECT_EQ(bins, (std::vector<std::int64_t>{2, 1, 0}));
}

TEST(Turns, FirstVariantRotates) {
  const auto all = in_turn(2, 2, 3);
  ASSERT_EQ(all.size(), 12U);
  EXPECT_EQ(all[0].variant, 0U);
  EXPECT_EQ(all[3].variant, 1U);
  EXPECT_EQ(all[6].variant, 1U);
  EXPECT_EQ(all[0].scenario, all[2].scenario) << "the variants of one scenario stand together";
}

}  // namespace
}  // namespace holdfast
