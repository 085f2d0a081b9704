// The result of a search that several labs made, each of a part.
#include "request_explore/parallel_labs.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

ExploreFind find_of(const std::string& invariant, const std::string& cause, int preemptions) {
  ExploreFind out;
  out.invariant = invariant;
  out.cause = cause;
  out.severe = out.counts = true;
  out.cost.preemptions = preemptions;
  return out;
}

ExploreResult part_with(std::vector<ExploreFind> finds) {
  ExploreResult out;
  out.complete = true;
  out.first = "A A B B";
  out.schedules = 5;
  out.levels = 3;
  out.grants = 1;
  out.settings.clients = 2;
  out.violations = std::move(finds);
  out.at_requests = RequestsExplored{.at = "here", .requests = 7, .replayed = 4};
  return out;
}

TEST(ParallelLabs, NumbersAreAddedUp) {
  ExploreResult other = part_with({});
  other.levels = 2;
  other.at_requests->last_death = "it ended";
  const ExploreResult whole = whole_of({part_with({}), other}, true);
  EXPECT_EQ(whole.schedules, 10U);
  EXPECT_EQ(whole.at_requests->requests, 14U);
  EXPECT_EQ(whole.at_requests->last_death, "it ended");
  EXPECT_EQ(whole.levels, 2);
  EXPECT_EQ(whole.workers, 2);
  EXPECT_EQ(whole.verdict, "holds");
}

TEST(ParallelLabs, ACauseIsReportedOnceByItsCheapestSchedule) {
  const ExploreResult whole = whole_of({part_with({find_of("stuck", "x", 2), find_of("two_holders", "y", 1)}),
                                        part_with({find_of("stuck", "x", 1), find_of("stuck", "z", 3)})},
                                       true);
  ASSERT_EQ(whole.violations.size(), 3U);
  EXPECT_EQ(whole.verdict, "violated");
  EXPECT_EQ(whole.violations[0].cause, "x");
  EXPECT_EQ(whole.violations[0].cost.preemptions, 1);
  EXPECT_EQ(whole.violations[2].cause, "z");
  EXPECT_EQ(whole.violations[2].number, 2);
}

TEST(ParallelLabs, TheWholeIsCompleteOnlyIfAllPartsAre) {
  ExploreResult cut_off = part_with({});
  cut_off.complete = false;
  cut_off.left = 3;
  const ExploreResult whole = whole_of({part_with({}), cut_off}, true);
  EXPECT_FALSE(whole.complete);
  EXPECT_EQ(whole.verdict, "undecided");
  EXPECT_EQ(whole.not_explored.front(),
            "within the bounds, 3 schedules that the search knew of but did not run, and their continuations");
}

TEST(ParallelLabs, PartsOfAnotherFirstScheduleAreNoWhole) {
  ExploreResult other = part_with({});
  other.first = "A B";
  EXPECT_EQ(whole_of({part_with({}), other}, true).verdict, "undecided");
}

TEST(ParallelLabs, AnAdapterThatEndedByItselfForbidsHolds) {
  ExploreResult other = part_with({});
  other.at_requests->died = 1;
  EXPECT_EQ(whole_of({part_with({}), other}, true).verdict, "undecided");
}

}  // namespace
}  // namespace holdfast
