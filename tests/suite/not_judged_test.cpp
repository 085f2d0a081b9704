// Properties that a scenario is not about.
#include <gtest/gtest.h>

#include "suite/expectation.hpp"

namespace holdfast {
namespace {

TEST(NotJudged, IsAsExpectedWhateverIsSeenButNoPassByItself) {
  PropertyVerdict resource;
  resource.property = "resource";
  resource.judgement = Judgement::violated;
  resource.kinds["algorithm"] = 1;
  PropertyVerdict progress;
  progress.property = "progress";
  progress.judgement = Judgement::holds;
  TrialResult trial;
  trial.verdict.properties = {resource, progress};
  compare_with_expected({{"resource", "not_judged"}}, trial);
  EXPECT_EQ(trial.outcome, Outcome::as_expected);
  compare_with_expected({{"resource", "not_judged"}, {"progress", "not_judged"}}, trial);
  EXPECT_EQ(trial.outcome, Outcome::undecided);
  compare_with_expected({{"progress", "not_judged"}}, trial);
  EXPECT_EQ(trial.outcome, Outcome::unexpected);
}

}  // namespace
}  // namespace holdfast
