// The waits of programs that end before they can be measured: an upper bound.
#include "adapter/program_wait.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "artifact/monotonic.hpp"
#include "artifact/poll_until.hpp"
#include "tests/runner/shell.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kOne_ns = 1'000'000;

TEST(ProgramWait, ParsesStatAndPressureFiles) {
  const std::string stat = "12 (a) b) S 3 12 7 0 -1 4194304 100 2345 0 0 1 2 3 4 20 0 1 0 999 0 0";
  EXPECT_EQ(faults_of_children(stat), 2345);
  EXPECT_EQ(session_of(stat), 7);
  EXPECT_EQ(session_of(""), -1);
  EXPECT_EQ(pressure_ns("some avg10=0.00 avg60=0.00 avg300=0.00 total=683971330"), 683'971'330'000);
  EXPECT_EQ(pressure_ns("full avg10=0.00 total=1"), std::nullopt);
  EXPECT_EQ(pressure_ns(""), std::nullopt);
}

TEST(ProgramWait, IsBoundedByTimeAndPressure) {
  EXPECT_EQ(waited_at_most_ns(100 * kOne_ns, 10 * kOne_ns, 2), 20 * kOne_ns) << "on each processor";
  EXPECT_EQ(waited_at_most_ns(100 * kOne_ns, 90 * kOne_ns, 2), 100 * kOne_ns);
  EXPECT_EQ(waited_at_most_ns(100 * kOne_ns, 0, 2), 0) << "a calm machine";
  EXPECT_EQ(waited_at_most_ns(100 * kOne_ns, std::nullopt, 2), 100 * kOne_ns) << "nobody tells";
}

// True if one is reported, on a machine that is made busy enough.
bool told(pid_t pid, std::int64_t within_ms) {
  const Process busy[] = {shell("while :; do :; done"), shell("while :; do :; done"), shell("while :; do :; done"),
                          shell("while :; do :; done"), shell("while :; do :; done"), shell("while :; do :; done")};
  ProgramWait wait(pid, monotonic_ns());
  const bool out = poll_until([&] { return wait.look_ns(monotonic_ns()) > 0; }, 50, after_ms(within_ms));
  for (const Process& one : busy) one.signal(SIGKILL);
  return out;
}

TEST(ProgramWait, ReportsProcessThatStartsPrograms) {
  Process starter = shell("while :; do /bin/true; done");
  EXPECT_TRUE(told(starter.pid(), 30'000));
  starter.signal(SIGKILL);
}

TEST(ProgramWait, ReportsProcessWhoseChildStillRuns) {
  Process starter = shell("/bin/true; sleep 60; :");
  EXPECT_TRUE(told(starter.pid(), 30'000));
  EXPECT_EQ(::kill(-starter.pid(), SIGKILL), 0) << "with what it started, which would keep the test's output open";
}

TEST(ProgramWait, IgnoresProcessWithoutChildren) {
  Process none = shell("while :; do :; done");
  EXPECT_FALSE(told(none.pid(), 1'000));
  none.signal(SIGKILL);
}

}  // namespace
}  // namespace holdfast
