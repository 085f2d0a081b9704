// The vDSO's clock while threads do nothing but read it: equipped again and again, and moved without a torn reading.
// HOLDFAST_STRESS: how many times as often; 5 in ./test --full.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "lab/vdso_clock.hpp"
#include "lab/vdso_code.hpp"
#include "tests/lab/vdso_threads.hpp"
#include "tests/lab/vdso_victim.hpp"

namespace holdfast {
namespace {

constexpr int kVictims = 10;
constexpr int kMoves = 100;

int times(int few) {
  const char* more = std::getenv("HOLDFAST_STRESS");
  return more ? few * std::stoi(more) : few;
}

std::int64_t torn(const AskedProgram& victim) {
  return numbers_in(victim.ask("torn"))["torn"];
}

class VdsoStress : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_vdso_clock(); !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_F(VdsoStress, ProgramsAreEquippedInTheMidstOfReading) {
  const int victims = times(kVictims);
  for (int number = 0; number < victims; ++number) {
    const AskedProgram victim(clock_victim(4));
    victim.ask("clocks");  // all threads read
    VdsoClock clock(victim.pid());
    clock.equip();
    clock.set_offset(kOneOffset_ns);
    expect_ahead(victim, kOneOffset_ns);
    EXPECT_EQ(torn(victim), 0) << number;
    ASSERT_TRUE(victim.runs()) << number;
  }
}

TEST_F(VdsoStress, NoReadingIsTornWhileTheClockMoves) {
  const AskedProgram victim(clock_victim(4));
  VdsoClock clock(victim.pid());
  clock.equip();
  const int moves = times(kMoves);
  for (int move = 0; move < moves; ++move) clock.set_offset(move % 2 == 0 ? kOneOffset_ns : kOtherOffset_ns);
  expect_ahead(victim, kOtherOffset_ns);
  EXPECT_EQ(torn(victim), 0);
}

// Sabotage: that the readers would notice half of an offset.
TEST_F(VdsoStress, ATornOffsetIsSeen) {
  const AskedProgram victim(clock_victim(1));
  VdsoClock clock(victim.pid());
  clock.equip();
  victim.ask("clocks");
  EXPECT_EQ(torn(victim), 0);
  const VdsoOffset half{vdso_offset(kOneOffset_ns).seconds, vdso_offset(kOtherOffset_ns).nanoseconds};
  clock.set_offset(ns_of(half));
  victim.ask("clocks");
  EXPECT_GT(torn(victim), 0);
}

}  // namespace
}  // namespace holdfast
