// The verdict of an exploration.
#include <gtest/gtest.h>

#include "explore/explorer.hpp"

namespace holdfast {
namespace {

TEST(Explored, HoldsOnlyWhatWasSearchedToTheEndAndTried) {
  Explored explored;
  EXPECT_EQ(explored.verdict(), "undecided") << "cut off";
  explored.grants = 7;
  EXPECT_EQ(explored.verdict(), "undecided") << "cut off";
  explored.numbers.complete = true;
  EXPECT_EQ(explored.verdict(), "holds");
  explored.grants = 0;
  EXPECT_EQ(explored.verdict(), "undecided") << "nobody ever had the lock";
}

TEST(Explored, IsViolatedByWhatIsGraveOnly) {
  Explored explored;
  explored.numbers.complete = true;
  explored.grants = 7;
  explored.finds.push_back({{"two_naive_holders", "", false}, {}, {}, {}, false});
  EXPECT_EQ(explored.verdict(), "holds");
  explored.finds.push_back({{"two_holders", "", true}, {}, {}, {}, false});
  EXPECT_EQ(explored.verdict(), "violated");
}

}  // namespace
}  // namespace holdfast
