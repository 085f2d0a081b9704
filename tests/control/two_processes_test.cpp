// Runner and client are processes of their own: they meet through the page, and a wait ends at once when it is woken.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "control/control_page.hpp"

namespace holdfast {
namespace {

constexpr int kForkedWait_ms = 10'000;
constexpr ClientPosition kCritical{Phase::critical_section, nullptr, false};

// A client process that passes the point once, through a mapping of its own; its exit code is the order it got.
pid_t client_process(int descriptor, std::uint32_t client) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const SharedPage page = SharedPage::attach(descriptor);
  page->clients[client].holding.store(1);
  ::_exit(static_cast<int>(arrive(*page, client, kCritical, nullptr)));
}

int exit_code(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(TwoProcesses, MeetAtTheTrigger) {
  const SharedPage page = SharedPage::create();
  ArmedPoint& point = page->armed_points[0];
  point.phase = Phase::critical_section;
  point.client = 4;
  arm(*page, point);
  const pid_t other = client_process(page.descriptor(), 3);
  EXPECT_EQ(exit_code(other), static_cast<int>(PointAction::go_on));
  const pid_t client = client_process(page.descriptor(), 4);
  ASSERT_TRUE(wait_reached(point, kForkedWait_ms));
  EXPECT_EQ(point.reached_by.load(), 4u);
  EXPECT_EQ(page->clients[4].holding.load(), 1);
  EXPECT_EQ(::waitpid(client, nullptr, WNOHANG), 0) << "it waits for the answer";
  answer(point, PointAction::lose_reply);
  EXPECT_EQ(exit_code(client), static_cast<int>(PointAction::lose_reply));
}

// Many times, so that a wake-up that is lost between look and wait would show as a long wait.
TEST(TwoProcesses, NoWakeUpIsLost) {
  const SharedPage page = SharedPage::create();
  constexpr std::uint32_t kRounds = 2'000;
  const pid_t child = ::fork();
  if (child == 0) {
    const SharedPage own = SharedPage::attach(page.descriptor());
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      while (own->go.load() < round) futex_wait(own->go, round - 1, kForkedWait_ms);
      own->stop.store(round);
      futex_wake(own->stop);
    }
    ::_exit(0);
  }
  std::int64_t longest_ns = 0;
  for (std::uint32_t round = 1; round <= kRounds; ++round) {
    const std::int64_t begin_ns = monotonic_ns();
    page->go.store(round);
    futex_wake(page->go);
    while (page->stop.load() < round) futex_wait(page->stop, round - 1, kForkedWait_ms);
    longest_ns = std::max(longest_ns, monotonic_ns() - begin_ns);
  }
  EXPECT_EQ(exit_code(child), 0);
  EXPECT_LT(longest_ns, kForkedWait_ms * 1'000'000LL / 2);
}

TEST(Futex, WaitsNoLongerThanItsTimeAndNotForAnotherValue) {
  const SharedPage page = SharedPage::create();
  const std::int64_t begin_ns = monotonic_ns();
  futex_wait(page->go, 0, 40);
  const std::int64_t waited_ns = monotonic_ns() - begin_ns;
  EXPECT_GE(waited_ns, 40'000'000);
  EXPECT_LT(waited_ns, kForkedWait_ms * 1'000'000LL);
  const std::int64_t again_ns = monotonic_ns();
  futex_wait(page->go, 1, kForkedWait_ms);  // it is 0: nothing to wait for
  EXPECT_LT(monotonic_ns() - again_ns, kForkedWait_ms * 1'000'000LL / 2);
}

TEST(SharedPage, NeedsADescriptor) {
  EXPECT_THROW(SharedPage::attach(-1), std::runtime_error);
}

TEST(SharedPage, CanBeMoved) {
  SharedPage page = SharedPage::create();
  page->zero_ns = 7;
  const SharedPage moved = std::move(page);
  EXPECT_EQ(moved->zero_ns, 7);
}

}  // namespace
}  // namespace holdfast
