#include "nemesis/stopped_time.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

TEST(StoppedTime, GrowthBeforeTwoLooksAgreeIsNoEnd) {
  StoppedTime time;
  EXPECT_EQ(time.look(100), Look::in_force);
  EXPECT_EQ(time.look(130), Look::unclear) << "it was about to give up its processor";
  EXPECT_EQ(time.look(130), Look::in_force);
  EXPECT_EQ(time.look(131), Look::over) << "it ran";
}

TEST(StoppedTime, GrowthAfterTwoLooksAgreedIsTheEnd) {
  StoppedTime time;
  EXPECT_EQ(time.look(100), Look::in_force);
  EXPECT_EQ(time.look(100), Look::in_force);
  EXPECT_EQ(time.look(100), Look::in_force);
  EXPECT_EQ(time.look(101), Look::over);
}

}  // namespace
}  // namespace holdfast
