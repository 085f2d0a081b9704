#include "suite/time_trust.hpp"

#include <gtest/gtest.h>

#include <string>

#include "virtual_time/timekeeper.hpp"

namespace holdfast {
namespace {

const Load kLoad{};
constexpr const char* kDoubt = "a program has no access to the shared clock";

TEST(TimeTrust, ALockThatWasNotTriedMaySkipTime) {
  EXPECT_EQ(TimeTrust().doubt_of("redis_token", kLoad), "");
}

TEST(TimeTrust, TwoDoubtsWithoutARightClockAreEnough) {
  TimeTrust trust;
  trust.note("redis_token", kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_token", kLoad), "") << "one may be chance";
  trust.note("redis_token", kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_token", kLoad), kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_quorum", kLoad), "") << "another lock's programs";
}

TEST(TimeTrust, DoubtAfterARightClockAffectsItsTrialOnly) {
  TimeTrust trust;
  trust.note("redis_token", kDoubt);
  trust.note("redis_token", "");
  for (int i = 0; i < 10; ++i) trust.note("redis_token", kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_token", kLoad), "");
}

TEST(TimeTrust, OneTrialShowsThatRealTimeIsFaster) {
  TimeTrust trust;
  trust.note("redis_token", "");
  const std::string dear = std::string("virtual time: ") + kRealTimeIsFaster + " (2000 ms ...)";
  trust.note("redis_token", dear);
  trust.note("redis_token", kDoubt);
  EXPECT_EQ(trust.doubt_of("redis_token", kLoad), "an earlier trial of this lock: " + dear);
  EXPECT_EQ(trust.doubt_of("redis_quorum", kLoad), "") << "another lock's programs";
}

TEST(TimeTrust, ClientsThatAskWithoutAPauseLeaveNothingToSkip) {
  Load busy;
  busy.poll_ms = 1;
  busy.clients = 4;
  EXPECT_NE(TimeTrust().doubt_of("redis_token", busy), "");
  busy.clients = 3;
  EXPECT_EQ(TimeTrust().doubt_of("redis_token", busy), "");
  busy.threads = 2;
  EXPECT_NE(TimeTrust().doubt_of("redis_token", busy), "") << "each of its threads asks";
}

TEST(TimeTrust, ClientsThatHoldForNoTimeAndDoNotPauseLeaveNothingToSkip) {
  Load busy;
  busy.clients = 2;
  busy.hold_ms = {0, 0};
  busy.pause_ms = {0, 0};
  EXPECT_NE(TimeTrust().doubt_of("redis_token", busy), "");
  busy.pause_ms = {0, 2};
  EXPECT_EQ(TimeTrust().doubt_of("redis_token", busy), "");
  busy.pause_ms = {0, 0};
  busy.hold_ms = {5, 10};
  EXPECT_EQ(TimeTrust().doubt_of("redis_token", busy), "");
}

}  // namespace
}  // namespace holdfast
