// Waits for a processor: counted when a process is starved, not when it sleeps or is stopped.
#include "adapter/scheduler_wait.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "control/control_page.hpp"
#include "runner/stall_meter.hpp"
#include "tests/runner/shell.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kMillisecond_ns = 1'000'000;
constexpr int kMost_ms = 20'000;

// A process of its own session that never stops computing, on the first processor we may use.
struct Busy {
  explicit Busy(const std::string& script = "while :; do :; done") : process(shell(script)) {
    cpu_set_t mine;
    CPU_ZERO(&mine);
    ::sched_getaffinity(0, sizeof mine, &mine);
    int first = 0;
    while (!CPU_ISSET(first, &mine)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ::sched_setaffinity(process.pid(), sizeof one, &one);
  }
  ~Busy() { process.signal(SIGKILL); }
  Process process;
};

void nap(int ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

TEST(SchedulerWait, ReadsTheFirstTwoNumbers) {
  EXPECT_EQ(scheduler_count("1638038 115963 2"), (SchedulerCount{1638038, 115963}));
  EXPECT_EQ(scheduler_count("0 0 0"), SchedulerCount{});
  EXPECT_EQ(scheduler_count("12"), std::nullopt);
  EXPECT_EQ(scheduler_count(""), std::nullopt);
  EXPECT_EQ(scheduler_count("no such thing"), std::nullopt);
}

constexpr bool kRunnable = true;
constexpr bool kAsleep = false;

TEST(ThreadWait, AWaitInProgressIsCountedAtOnceAndNotAgainAtItsEnd) {
  ThreadWait wait;
  EXPECT_EQ(wait.look_ns(1'000, {5, 20}, kRunnable), 20);
  EXPECT_EQ(wait.look_ns(1'100, {5, 20}, kRunnable), 100);
  EXPECT_EQ(wait.look_ns(1'200, {5, 20}, kRunnable), 100);
  EXPECT_EQ(wait.look_ns(1'300, {9, 20 + 260}, kAsleep), 60) << "200 of 260 are counted already";
  EXPECT_EQ(wait.look_ns(1'400, {9, 20 + 260 + 7}, kAsleep), 7);
}

TEST(ThreadWait, AThreadThatSleepsOrRunsDoesNotWait) {
  ThreadWait wait;
  EXPECT_EQ(wait.look_ns(1'000, {5, 0}, kAsleep), 0);
  EXPECT_EQ(wait.look_ns(1'100, {5, 0}, kAsleep), 0);
  EXPECT_EQ(wait.look_ns(1'200, {5, 0}, kRunnable), 0) << "it may have been woken just now";
  EXPECT_EQ(wait.look_ns(1'300, {80, 0}, kRunnable), 0) << "it ran";
  EXPECT_EQ(wait.look_ns(1'400, {160, 0}, kRunnable), 0);
}

TEST(ThreadWait, AWaitThatEndsInTheNextOneIsCountedOnce) {
  ThreadWait wait;
  EXPECT_EQ(wait.look_ns(1'000, {1, 0}, kRunnable), 0);
  EXPECT_EQ(wait.look_ns(1'100, {1, 0}, kRunnable), 100);
  EXPECT_EQ(wait.look_ns(1'200, {2, 150}, kRunnable), 50);
  EXPECT_EQ(wait.look_ns(1'300, {2, 150}, kRunnable), 100);
  EXPECT_EQ(wait.look_ns(1'400, {3, 150 + 130}, kAsleep), 30);
}

TEST(SchedulerWait, MissingKernelCountersAreNamed) {
  EXPECT_EQ(not_counted("1234 0 3"), "");
  EXPECT_NE(not_counted("").find("CONFIG_SCHEDSTATS"), std::string::npos);
  EXPECT_NE(not_counted("0 0 0").find("kernel.task_delayacct=1"), std::string::npos);
}

TEST(SchedulerWait, GrowsWithMoreThreadsThanProcessors) {
  if (!not_counted().empty()) GTEST_SKIP() << not_counted();
  const Busy one;
  const Busy two;
  SchedulerWait wait(one.process.pid(), monotonic_ns());
  std::int64_t waited = 0;
  for (int ms = 0; waited < 100 * kMillisecond_ns && ms < kMost_ms; ms += 10) {
    nap(10);
    waited += wait.look_ns(monotonic_ns());
  }
  EXPECT_GE(waited, 100 * kMillisecond_ns);
}

TEST(SchedulerWait, AStoppedProcessWaitsForNothing) {
  const Busy one;
  const Busy two;
  ASSERT_TRUE(one.process.signal(SIGSTOP));
  for (int ms = 0; one.process.state() != 'T' && ms < kMost_ms; ++ms) nap(1);
  ASSERT_EQ(one.process.state(), 'T');
  SchedulerWait wait(one.process.pid(), monotonic_ns());
  // It says so just before it leaves the processor, and may be put back in the queue once more in between.
  std::int64_t waited = 1;
  for (int ms = 0; waited != 0 && ms < kMost_ms; ms += 300) {
    nap(300);
    waited = wait.look_ns(monotonic_ns());
  }
  EXPECT_EQ(waited, 0);
}

TEST(SchedulerWait, AProcessThatIsGoneWaitsForNothing) {
  Process process = shell("exit 0");
  process.wait(kMost_ms);
  SchedulerWait wait(process.pid(), monotonic_ns());
  EXPECT_EQ(wait.look_ns(monotonic_ns()), 0);
}

TEST(WaitAccount, ReportsWhenTheBoundIsReached) {
  WaitAccount account;
  EXPECT_FALSE(account.add(0, 100, 60 * kMillisecond_ns));
  EXPECT_FALSE(account.add(100, 200, 0));
  const auto told = account.add(200, 300, 40 * kMillisecond_ns);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->waited_ns, 100 * kMillisecond_ns);
  EXPECT_EQ(told->to_ns, 300);
  EXPECT_FALSE(account.add(300, 400, 99 * kMillisecond_ns)) << "what was told is not told again";
}

TEST(WaitAccount, AWaitBeganAtLeastItsLengthBeforeItsEnd) {
  WaitAccount account;
  const auto told = account.add(4900 * kMillisecond_ns, 5000 * kMillisecond_ns, 3000 * kMillisecond_ns);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->from_ns, 2000 * kMillisecond_ns);
  EXPECT_TRUE(is_stall(*told));
  EXPECT_FALSE(is_stall({0, 5000 * kMillisecond_ns, 100 * kMillisecond_ns})) << "little by little";
}

TEST(StallMeter, NamesTheClientThatWaited) {
  if (!not_counted().empty()) GTEST_SKIP() << not_counted();
  const Busy starved;
  const Busy other;
  const Busy sleeper("exec sleep 100");
  const std::int64_t zero_ns = monotonic_ns();
  StallMeter meter(zero_ns);
  const auto about = [&](std::uint32_t client) {
    return std::count_if(meter.events().begin(), meter.events().end(), [&](const Event& e) {
      return e.fault == "scheduler" && e.clients == std::vector<std::uint32_t>{client};
    });
  };
  for (int ms = 0; about(3) == 0 && ms < kMost_ms; ms += 10) {
    nap(10);
    meter.look({{3, {3}, starved.process.pid(), "client 3"}, {4, {4}, sleeper.process.pid(), "client 4"}});
  }
  ASSERT_GE(about(3), 1);
  EXPECT_EQ(about(4), 0) << "it slept";
  const Event& event = *std::find_if(meter.events().begin(), meter.events().end(),
                                     [](const Event& e) { return e.fault == "scheduler"; });
  EXPECT_EQ(event.step, FaultStep::stall);
  EXPECT_GE(event.waited_ns, WaitAccount::kBound_ns);
  EXPECT_LT(event.time_ns, event.until_ns);
  EXPECT_NE(event.detail.find("client 3 waited "), std::string::npos) << event.detail;
}

}  // namespace
}  // namespace holdfast
