// fairness: how often a waiter is passed by those that asked later; measured always, judged where it is promised.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

const char* const kFairness = "fairness";

HistoryBuilder overtaken_at_most(std::int64_t overtakes_most) {
  return HistoryBuilder::run(0).header([=](HistoryHeader& header) {
    header.promises.push_back(kFairness);
    header.overtakes_most = overtakes_most;
  });
}

// Client 1 holds until 100 ms, client 2 waits from 20 ms on; client 3, which asks at 30 ms, is granted it twice first.
HistoryBuilder& passed_twice(HistoryBuilder& story) {
  story.acquire(1, 0, 10).release(1, 100, 110);
  return story.acquire(3, 30, 120).release(3, 200, 210).acquire(3, 215, 220).release(3, 300, 310);
}

TEST(Fairness, CountsLaterClientsGrantedFirst) {
  auto story = overtaken_at_most(1);
  const auto v = passed_twice(story).acquire(2, 20, 320).check();
  EXPECT_EQ(said(v, kFairness), "violated:overtaken");
  EXPECT_EQ(v.measures.most_overtaken, 2);
  EXPECT_EQ(v.measures.starved, 0);
  EXPECT_EQ(v.measures.wait_max_ns, 300'000'000);
  const Witness& witness = v.find(kFairness)->witnesses.at(0);
  EXPECT_EQ(witness.clients, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(witness.indices.size(), 6u) << "its own two, and two grants: one more than is promised";
  EXPECT_EQ(witness.text.find("Client 2 asked for \"k0\" at 0.020 s (#2) and was granted it at 0.320 s"), 0u)
      << witness.text;
  EXPECT_NE(witness.text.find("meanwhile 2 later acquires were granted"), std::string::npos) << witness.text;
  auto enough = overtaken_at_most(2);
  EXPECT_EQ(said(passed_twice(enough).acquire(2, 20, 320).check(), kFairness), "holds");
}

TEST(Fairness, UnansweredWaiterStarved) {
  auto story = overtaken_at_most(1);
  const auto v = passed_twice(story).invoke(2, Op::acquire, 20).check();
  EXPECT_EQ(said(v, kFairness), "violated:starved");
  EXPECT_EQ(v.measures.starved, 1);
  EXPECT_NE(v.find(kFairness)->witnesses.at(0).text.find("had no answer until the end of the trial"),
            std::string::npos);
}

TEST(Fairness, RefusedClientStartsANewWait) {
  auto story = overtaken_at_most(0);
  const auto v = passed_twice(story).refused(2, 20, 25).acquire(2, 216, 320).check();
  EXPECT_EQ(said(v, kFairness), "holds");
  EXPECT_EQ(v.measures.wait_max_ns, 300'000'000) << "how long it waited in all is measured all the same";
  EXPECT_EQ(v.measures.most_overtaken, 0);
}

TEST(Fairness, UnpromisedFairnessIsMeasuredOnly) {
  auto story = HistoryBuilder::foreign("owner");
  const auto v = passed_twice(story).acquire(2, 20, 320).check();
  EXPECT_EQ(v.find(kFairness), nullptr);
  EXPECT_EQ(v.measures.most_overtaken, 2);
  auto unpromised = HistoryBuilder::run(0);
  EXPECT_EQ(passed_twice(unpromised).acquire(2, 20, 320).check().find(kFairness), nullptr);
}

TEST(Fairness, WithoutWaitersItIsNotExercised) {
  auto story = overtaken_at_most(0);
  story.acquire(1, 0, 10).release(1, 20, 30).acquire(2, 40, 50).release(2, 60, 70);
  EXPECT_EQ(said(story.check(), kFairness), "not_exercised");
}

TEST(Fairness, GrantsOfOtherKeysPassNoWaiter) {
  auto story = overtaken_at_most(0);
  story.acquire(1, 0, 10).invoke(2, Op::acquire, 20).on(1).acquire(3, 30, 40).release(3, 50, 60);
  EXPECT_EQ(story.check().measures.most_overtaken, 0);
}

}  // namespace
}  // namespace holdfast
