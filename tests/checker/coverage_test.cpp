// Conditions for a meaningful `holds` of the exclusions; otherwise they are not exercised.
#include <gtest/gtest.h>

#include "tests/checker/history_builder.hpp"

namespace holdfast {
namespace {

TEST(Coverage, TooFewGrantsOrAttemptsAreNotExercised) {
  auto story = HistoryBuilder::run(2000).acquire(1, 0, 10).refused(2, 20, 30).release(1, 100, 110);
  const auto under = [&](std::int64_t grants, std::int64_t attempts) {
    story.header([&](HistoryHeader& h) { h.minima = {grants, attempts}; });
    return said(story.check(), kLease);
  };
  EXPECT_EQ(under(1, 1), "holds");
  EXPECT_EQ(under(2, 1), "not_exercised");
  EXPECT_EQ(under(1, 2), "not_exercised");
  EXPECT_NE(story.check().find(kLease)->reason.find("attempts by other clients during a hold: 1, at least 2 required"),
            std::string::npos);
}

// A lock that waits keeps out a client that asked before another's grant for all of that hold.
TEST(Coverage, WaiterAtTheBeginOfAHoldCountsAsAttempt) {
  const auto attempts = [](bool waits, std::uint32_t key, Reason why) {
    auto story = HistoryBuilder::run(2000).acquire(1, 0, 10).on(key).refused(2, 5, 400, why).on(0).release(1, 100, 110);
    story.header([&](HistoryHeader& h) { h.waits = waits; });
    return story.check().find(kLease)->coverage.at("attempts_in_hold");
  };
  EXPECT_EQ(attempts(true, 0, Reason::busy), 1);
  EXPECT_EQ(attempts(true, 0, Reason::timeout), 1);
  EXPECT_EQ(attempts(true, 1, Reason::busy), 0) << "it waits for another key";
  EXPECT_EQ(attempts(false, 0, Reason::busy), 0) << "it may have been refused at once, and be told late";
}

TEST(Coverage, FaultMustActDuringAGrant) {
  const auto told = [](std::int64_t from, std::int64_t to) {
    return said(
        HistoryBuilder::run(2000).acquire(1, 100, 110).release(1, 200, 210).fault("cut", "", {}, from, to).check(),
        kBelief);
  };
  EXPECT_EQ(told(150, 160), "holds");
  EXPECT_EQ(told(0, 105), "not_exercised");
  EXPECT_EQ(told(300, 400), "not_exercised");
}

// A grant whose first answer was lost, and that was had by asking again, was live while the fault acted.
TEST(Coverage, AttemptWithLostAnswerCounts) {
  const auto told = [](std::int64_t rows) {
    return said(HistoryBuilder::run(2000).rows(rows).acquire(1, 100, 120).fault("lost", "", {}, 105, 110).check(),
                kBelief);
  };
  EXPECT_EQ(told(-1), "holds");
  EXPECT_EQ(told(1), "not_exercised");
}

TEST(Coverage, NoGrantIsNotExercisedUnlessViolated) {
  EXPECT_EQ(said(HistoryBuilder::foreign("owner").refused(1, 0, 10, Reason::timeout).check(), kBelief),
            "not_exercised");
  auto story = HistoryBuilder::run(2000).acquire(1, 0, 10).acquire(2, 20, 30);
  story.header([](HistoryHeader& h) { h.minima = {100, 100}; });
  EXPECT_EQ(said(story.check(), kBelief), "violated:algorithm");
}

}  // namespace
}  // namespace holdfast
