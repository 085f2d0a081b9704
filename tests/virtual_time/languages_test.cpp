// Programs in languages whose run-time systems have threads and timers of their own: those that are installed.
#include <gtest/gtest.h>

#include <string>

#include "tests/virtual_time/timed_program.hpp"

namespace holdfast {
namespace {

std::string source_of(const std::string& program) {
  return quoted(HOLDFAST_SOURCE "/tests/virtual_time/" + program);
}

bool is_installed(const std::string& program) {
  return TimedProgram("command -v " + program).succeeded();
}

// Each prints how long five seconds took by its clock, in milliseconds, in several ways.
void expect_five_seconds(const std::string& words) {
  const TimedProgram program(words);
  ASSERT_TRUE(program.succeeded()) << program.printed;
  EXPECT_TRUE(program.keeper.without_clock().empty());
  std::istringstream lines(program.printed);
  int ways = 0;
  for (double took_ms = 0; lines >> took_ms; ++ways) {
    constexpr double kFive_ms = 5000;
    constexpr double kTolerance_ms = 150;  // processor time of a run-time system that compiles meanwhile
    EXPECT_GE(took_ms, kFive_ms - 1) << program.printed;
    EXPECT_LT(took_ms, kFive_ms + kTolerance_ms) << program.printed;
  }
  EXPECT_GE(ways, 3) << program.printed;
  EXPECT_GE(program.keeper.seen().skipped_ns, 10 * kSecond_ns) << "it was waited for";
}

TEST(Languages, Python) {
  expect_five_seconds("python3 -B " + source_of("five_seconds.py"));
}

TEST(Languages, Shell) {
  expect_five_seconds("sh " + source_of("five_seconds.sh"));
}

TEST(Languages, Node) {
  if (!is_installed("node")) GTEST_SKIP() << "node is not installed";
  expect_five_seconds("node " + source_of("five_seconds.js"));
}

TEST(Languages, Java) {
  if (!is_installed("java")) GTEST_SKIP() << "java is not installed";
  expect_five_seconds("java -XX:+UseSerialGC -XX:-UsePerfData " + source_of("FiveSeconds.java"));
}

TEST(Languages, Go) {
  if (!is_installed("go")) GTEST_SKIP() << "go is not installed";
  expect_five_seconds("HOME=$HOLDFAST_VIRTUAL_TIME_TEST_FOLDER TMPDIR=$HOLDFAST_VIRTUAL_TIME_TEST_FOLDER go run " +
                      source_of("five_seconds.go"));
}

}  // namespace
}  // namespace holdfast
