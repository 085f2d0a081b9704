// The searches of an adapter that `try` makes, and which of their results it reports.
#include "request_explore/widening.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

ExploreResult result_with(int causes, bool complete, int faults = 1) {
  ExploreResult out;
  out.complete = complete;
  out.bounds.faults = faults;
  for (int i = 0; i < causes; ++i) {
    ExploreFind find;
    find.severe = find.counts = true;
    out.violations.push_back(find);
  }
  return out;
}

TEST(Widening, BeginsWithOneRoundAndNoFaultAndEndsWithWhatWasAskedFor) {
  ExploreJob job;
  job.settings.rounds = 3;
  const auto jobs = widening(job);
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs.front().settings.rounds, 1);
  EXPECT_EQ(jobs.front().limits.bounds.faults, 0);
  EXPECT_EQ(jobs[1].settings.rounds, 1);
  EXPECT_EQ(jobs[1].limits.bounds.faults, 1);
  EXPECT_EQ(jobs.back().settings.rounds, 3);
  EXPECT_EQ(jobs.back().limits.bounds, job.limits.bounds);
}

TEST(Widening, IsEnoughWhereALockWasViolatedAndFaultsWereTried) {
  EXPECT_FALSE(widened_enough({}));
  EXPECT_FALSE(widened_enough({result_with(1, true, 0)}));
  EXPECT_TRUE(widened_enough({result_with(1, true, 0), result_with(0, false)}));
  EXPECT_FALSE(widened_enough({result_with(0, true, 0), result_with(0, true)}));
}

TEST(MostTelling, IsTheOneWithTheMostCauses) {
  const std::vector<ExploreResult> results{result_with(1, true), result_with(2, false), result_with(1, false)};
  EXPECT_EQ(&most_telling(results), &results[1]);
}

TEST(MostTelling, IsElseTheWidestThatIsComplete) {
  const std::vector<ExploreResult> results{result_with(0, true), result_with(0, true), result_with(0, false)};
  EXPECT_EQ(&most_telling(results), &results[1]);
  const std::vector<ExploreResult> none{result_with(0, false), result_with(0, false)};
  EXPECT_EQ(&most_telling(none), &none.front());
  EXPECT_THROW(most_telling({}), HarnessError);
}

TEST(MostTelling, IsTheOneThatForbidsHoldsWhereNothingIsViolated) {
  std::vector<ExploreResult> results{result_with(0, true), result_with(0, true)};
  results.back().at_requests = RequestsExplored{.at = "", .requests = 9, .replayed = 99, .diverged = 1};
  EXPECT_EQ(&most_telling(results), &results.back()) << "more than 1 % diverged";
  results.back().at_requests->replayed = 100;
  results.front().untold_stories = 1;
  EXPECT_EQ(&most_telling(results), &results.front()) << "a find did not come again";
}

}  // namespace
}  // namespace holdfast
