// Progress lines and the slowest trials, at given times.
#include <gtest/gtest.h>

#include "reports/progress_text.hpp"

namespace holdfast {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(ProgressText, EstimatesTheRestFromTheFinishedTrials) {
  EXPECT_EQ(progress_text({12, 70, "ip_lease/pause caught"}, seconds(30)),
            "12 of 70 trials, 30 s, about 2 m 25 s left; last: ip_lease/pause caught");
  EXPECT_EQ(progress_text({35, 70, ""}, milliseconds(20'900)), "35 of 70 trials, 20 s, about 20.0 s left");
}

TEST(ProgressText, NamesNoRestThatIsNotKnown) {
  EXPECT_EQ(progress_text({0, 70, ""}, seconds(9)), "0 of 70 trials, 9 s");
  EXPECT_EQ(progress_text({70, 70, "a/b ok"}, seconds(9)), "70 of 70 trials, 9 s; last: a/b ok");
  EXPECT_EQ(progress_text({9, 10, ""}, seconds(2)), "9 of 10 trials, 2 s") << "less than a second is left";
  EXPECT_EQ(progress_text({3, 0, ""}, seconds(2)), "3 of 0 trials, 2 s") << "trials until caught";
}

RunVerdict run_with(const std::vector<double>& all_s) {
  RunVerdict out;
  for (std::size_t i = 0; i < all_s.size(); ++i) {
    TrialResult trial;
    trial.seconds = all_s[i];
    Cell& cell = out.cells.emplace_back();
    cell.lock = "lock";
    cell.scenario = std::to_string(i);
    cell.trials = {trial};
  }
  return out;
}

TEST(ProgressText, NamesTheThreeSlowestTrials) {
  EXPECT_EQ(slowest_trials(run_with({1.5, 70, 2.5, 9})), "lock/1 1 m 10 s, lock/3 9.0 s, lock/2 2.5 s");
  EXPECT_EQ(slowest_trials(run_with({2, 2, 2, 2})), "lock/0 2.0 s, lock/1 2.0 s, lock/2 2.0 s");
  EXPECT_EQ(slowest_trials(run_with({3, 2, 1})), "");
}

TEST(RuleTimer, ShowsASlowRuleAtIntervals) {
  const ProgressClock::time_point begin{};
  RuleTimer timer(seconds(1), begin);
  EXPECT_EQ(timer.tries("", begin + milliseconds(900)), std::nullopt);
  EXPECT_EQ(timer.tries("", begin + milliseconds(1'100)), "starting the server: 1 s");
  EXPECT_EQ(timer.tries("", begin + milliseconds(1'900)), std::nullopt);
  EXPECT_EQ(timer.tries("", begin + milliseconds(2'200)), "starting the server: 2 s");
}

TEST(RuleTimer, EachRuleHasItsOwnTime) {
  const ProgressClock::time_point begin{};
  RuleTimer timer(seconds(5), begin);
  EXPECT_EQ(timer.tries("releases", begin + seconds(60)), std::nullopt);
  EXPECT_EQ(timer.rule(), "releases");
  EXPECT_EQ(timer.tries("releases", begin + seconds(66)), "releases: 6 s");
  EXPECT_EQ(timer.tries("renews", begin + seconds(70)), std::nullopt);
}

}  // namespace
}  // namespace holdfast
