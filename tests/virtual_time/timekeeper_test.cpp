// Programs whose waits are skipped: each way to wait takes its time by the program's own clock, and none of the host's;
// and the clock never moves while a process is busy.
#include "virtual_time/timekeeper.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "artifact/error.hpp"
#include "tests/virtual_time/timed_program.hpp"
#include "virtual_time/quiet_wait.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kWaited_ns = 2 * kSecond_ns;
constexpr std::int64_t kInexact_ns = 5 * kMillisecond_ns;  // beside the time that programs work

void expect_believed(const TimedProgram& program) {
  EXPECT_TRUE(program.succeeded()) << program.printed;
  EXPECT_TRUE(program.keeper.without_clock().empty());
}

class Waits : public testing::TestWithParam<const char*> {};

TEST_P(Waits, TakeTheirTime) {
  const TimedProgram program(quoted(HOLDFAST_WAITS) + " " + GetParam());
  expect_believed(program);
  std::int64_t by_its_clock_ns = 0, by_its_wall_ns = 0;
  std::istringstream(program.printed) >> by_its_clock_ns >> by_its_wall_ns;
  const TimeSeen& seen = program.keeper.seen();
  const std::int64_t else_ns = program.keeper.worked_ns() + seen.in_flight_ns + kInexact_ns;
  for (const std::int64_t took_ns : {by_its_clock_ns, by_its_wall_ns}) {
    EXPECT_GE(took_ns, kWaited_ns) << program.printed;
    EXPECT_LT(took_ns, kWaited_ns + else_ns) << program.printed;
  }
  EXPECT_GE(seen.skipped_ns, kWaited_ns - else_ns) << "it was waited for";
  EXPECT_EQ(seen.early_ends, 0U);
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, Waits,
                         testing::Values("nanosleep", "clock_nanosleep", "clock_nanosleep_until",
                                         "clock_nanosleep_until_wall", "poll", "ppoll", "select", "pselect",
                                         "epoll_wait", "epoll_pwait2", "futex", "futex_until", "futex_until_wall",
                                         "condition", "condition_wall", "sigtimedwait", "receive_time_out", "alarm",
                                         "setitimer", "timer", "timer_past_a_failed_exec", "timer_until_wall",
                                         "timerfd", "timerfd_until_wall", "timerfd_interval", "threads", "children",
                                         "execute_in_thread", "stopped_in_a_wait", "stopped_at_work", "raw_calls"),
                         [](const auto& kind) { return std::string(kind.param); });

TEST(WaitsOfEachKind, CoverAllKinds) {
  const TimedProgram program(quoted(HOLDFAST_WAITS));
  std::istringstream words(program.printed);
  int known = 0;
  for (std::string word; words >> word; ++known) continue;
  EXPECT_EQ(known, 31) << "the list above names each: " << program.printed;
}

class Rounds : public testing::TestWithParam<const char*> {};

TEST_P(Rounds, AreNotSkippedOver) {
  const TimedProgram program(quoted(HOLDFAST_PING) + " " + GetParam());
  expect_believed(program);
  int rounds = 0, moved = -1;
  std::istringstream(program.printed) >> rounds >> moved;
  EXPECT_GT(rounds, 0) << program.printed;
  EXPECT_EQ(moved, 0) << program.printed;
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, Rounds, testing::Values("tcp 2000", "unix 2000", "pipe 2000", "tcp_two_writes 25"),
                         [](const auto& kind) {
                           const std::string words = kind.param;
                           return words.substr(0, words.find(' '));
                         });

// A wait that another thread ended as its time was over. The next wait has an end of its own.
class NextWaits : public testing::TestWithParam<const char*> {};

TEST_P(NextWaits, TakeTheirOwnTime) {
  const TimedProgram program(quoted(HOLDFAST_TWO_WAITS) + " " + GetParam());
  expect_believed(program);
  int rounds = 0, ended = -1, interrupted = -1;
  std::istringstream(program.printed) >> rounds >> ended >> interrupted;
  EXPECT_GT(rounds, 0) << program.printed;
  EXPECT_EQ(ended, 0) << program.printed;
  EXPECT_EQ(interrupted, 0) << program.printed;
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, NextWaits, testing::Values("poll 400", "epoll_wait 400"), [](const auto& kind) {
  const std::string words = kind.param;
  return words.substr(0, words.find(' '));
});

TEST(RoundsWithoutALookAtTheNetwork, AreSkippedOver) {
  const TimedProgram program(quoted(HOLDFAST_PING) + " tcp_two_writes 25", {.looks_at_no_traffic = true});
  int rounds = 0, moved = 0;
  std::istringstream(program.printed) >> rounds >> moved;
  EXPECT_GT(moved, 0) << program.printed;
}

TEST(Timekeeper, LetsTimePassByWork) {
  const TimedProgram program("python3 -c \"sum(range(3000000))\"");
  expect_believed(program);
  EXPECT_GT(program.passed_ns, 5 * kMillisecond_ns) << "the processor time that it took";
  EXPECT_EQ(program.keeper.seen().skips, 0U);
}

TEST(QuietWait, EndsWhenAllWaitWithoutMovingTime) {
  const TimedProgram program(quoted(HOLDFAST_QUIET) + " 50");
  expect_believed(program);
  int too_soon = -1;
  std::int64_t moved_ns = -1, apart_ns = -1;
  std::istringstream(program.printed) >> too_soon >> moved_ns >> apart_ns;
  EXPECT_EQ(too_soon, 0) << program.printed;
  EXPECT_GE(moved_ns, 0) << program.printed;
  EXPECT_LT(moved_ns, std::int64_t{1000}) << "each reading of the clock takes a nanosecond: " << program.printed;
  EXPECT_EQ(apart_ns, 0) << "the deadline that it gives is that of the thread that sleeps: " << program.printed;
  EXPECT_GT(program.passed_ns, 49 * kWaited_ns) << "while nobody waited for quiet, time passed";
}

TEST(QuietWait, IsRefusedOutsideOfVirtualTime) {
  EXPECT_THROW(QuietWait(), HarnessError);
}

// Each skip looks at all threads, and saves 50 us.
TEST(Timekeeper, GivesUpWhereRealTimeIsFaster) {
  try {
    const TimedProgram program(
        "python3 -c \"import threading, time; "
        "[threading.Thread(target=time.sleep, args=(3600,), daemon=True).start() for _ in range(100)]; "
        "[time.sleep(0.00005) for _ in range(10000000)]\"");
    FAIL() << program.printed;
  } catch (const HarnessError& given_up) {
    EXPECT_EQ(std::string(given_up.what()).rfind(kNoVirtualTime, 0), 0U) << given_up.what();
    EXPECT_NE(std::string(given_up.what()).find(kRealTimeIsFaster), std::string::npos) << given_up.what();
  }
}

TEST(Timekeeper, SkipsForAProgramThatWaitsInShortSteps) {
  const TimedProgram program("python3 -c \"import time; [time.sleep(0.005) for _ in range(3000)]\"");
  expect_believed(program);
  EXPECT_GT(program.passed_ns, 14 * kSecond_ns);
}

// preadv2 on a pipe: a call of which it is not known how long it waits.
constexpr const char* kReadsPipe = "python3 -c \"import os; r, w = os.pipe(); ";
constexpr const char* kReads = "os.preadv(r, [bytearray(1)], -1)";

TEST(Timekeeper, GivesUpOnAnUnknownWait) {
  try {
    const TimedProgram program(std::string(kReadsPipe) + kReads + "\"");
    FAIL() << program.printed;
  } catch (const HarnessError& given_up) {
    EXPECT_EQ(std::string(given_up.what()).rfind(kNoVirtualTime, 0), 0U) << given_up.what();
    EXPECT_NE(std::string(given_up.what()).find("system call 327"), std::string::npos) << given_up.what();
  }
}

TEST(Timekeeper, ToleratesShortUnknownWaits) {
  const std::string child = "os.fork() or (sum(range(2000000)), os.write(w, b'x'), os._exit(0))";
  const TimedProgram program(std::string(kReadsPipe) + "[(" + child + ", " + kReads +
                             ", os.wait()) for _ in range(3)]\"");
  expect_believed(program);
  EXPECT_GT(program.keeper.seen().unknown_calls.count(327), 0U) << "it was seen in them";
}

TEST(Timekeeper, EachReadingIsLater) {
  const TimedProgram program(
      "python3 -c \"import time; print(len({time.monotonic_ns() for _ in range(10000)}), "
      "len({time.clock_gettime_ns(0) for _ in range(10000)}))\"");
  expect_believed(program);
  EXPECT_EQ(program.printed, "10000 10000\n");
}

TEST(Timekeeper, EndsWaitsEarlyOnRequest) {
  constexpr std::int64_t kEarly_ns = 20 * kMillisecond_ns;
  const TimedProgram program(quoted(HOLDFAST_WAITS) + " nanosleep", {.ends_early_ns = kEarly_ns});
  std::int64_t took_ns = 0;
  std::istringstream(program.printed) >> took_ns;
  EXPECT_LT(took_ns, kWaited_ns - kEarly_ns / 2) << "what a trial's canary must notice";
}

TEST(Timekeeper, AllProgramsShareOneClock) {
  const TimedProgram program("for i in 1 2 3; do date +%s.%N; sleep 1; done");
  expect_believed(program);
  std::istringstream words(program.printed);
  double first = 0, second = 0, third = 0;
  words >> first >> second >> third;
  constexpr double kTolerance_s = 0.1;
  EXPECT_NEAR(second - first, 1, kTolerance_s);
  EXPECT_NEAR(third - first, 2, kTolerance_s);
}

}  // namespace
}  // namespace holdfast
