#include "suite/time_trust.hpp"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr const char* kDoubt = "a program has no access to the shared clock";

TEST(TimeTrust, ALockThatWasNotTriedMaySkipTime) {
  EXPECT_EQ(TimeTrust().doubt_of("redis_token"), "");
}

TEST(TimeTrust, TwoDoubtsWithoutARightClockAreEnough) {
  TimeTrust trust;
  trust.note("redis_token", kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_token"), "") << "one may be chance";
  trust.note("redis_token", kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_token"), kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_quorum"), "") << "another lock's programs";
}

TEST(TimeTrust, WhereTheClockWasRightOnceADoubtIsOfItsTrialAlone) {
  TimeTrust trust;
  trust.note("redis_token", kDoubt);
  trust.note("redis_token", "");
  for (int i = 0; i < 10; ++i) trust.note("redis_token", kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_token"), "");
}

}  // namespace
}  // namespace holdfast
