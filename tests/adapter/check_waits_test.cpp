// Waits for a processor excuse a limit that was missed by no more than they lasted, and nothing else does.
#include "adapter/check_waits.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <csignal>

#include "artifact/monotonic.hpp"
#include "tests/adapter/python_adapter.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kMilli_ns = 1'000'000;

void keep_on_first_processor(pid_t pid) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  ::sched_getaffinity(0, sizeof mine, &mine);
  int first = 0;
  while (!CPU_ISSET(first, &mine)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ::sched_setaffinity(pid, sizeof one, &one);
}

void nap_ms(std::int64_t ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
}

// Four that compute without end, on one processor: each waits for most of the time.
TEST(CheckWaits, ExcuseTheirOwnLength) {
  if (!not_counted().empty()) GTEST_SKIP() << not_counted();
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<AdapterProcess>> busy;
  for (int i = 0; i < 4; ++i) {
    busy.push_back(std::make_unique<AdapterProcess>(tests::shell_adapter(folder, "while :; do :; done")));
    keep_on_first_processor(busy.back()->pid());
  }
  CheckWaits waits({busy.front()->pid()});
  const std::int64_t from_ns = monotonic_ns();
  nap_ms(1'500);
  const std::int64_t to_ns = monotonic_ns();
  const std::int64_t waited_ms = waits.between_ns(from_ns, to_ns) / kMilli_ns;
  const std::int64_t took_ms = (to_ns - from_ns) / kMilli_ns;
  EXPECT_GT(waited_ms, took_ms / 3) << "of " << took_ms;
  EXPECT_EQ(waits.excuse(from_ns, to_ns, took_ms + 1), "") << "it is within its limit";
  const std::string excuse = waits.excuse(from_ns, to_ns, took_ms * 3 / 4);
  EXPECT_NE(excuse.find("ms for a processor"), std::string::npos) << waited_ms;
  EXPECT_EQ(waits.between_ns(from_ns - 900 * kMilli_ns, from_ns - 800 * kMilli_ns), 0) << "nothing was seen then";
}

TEST(CheckWaits, SleepIsNotExcused) {
  if (!not_counted().empty()) GTEST_SKIP() << not_counted();
  const TemporaryFolder folder;
  const AdapterProcess sleeper(tests::shell_adapter(folder, "exec sleep 60"));
  CheckWaits waits({sleeper.pid()});
  const std::int64_t from_ns = monotonic_ns();
  nap_ms(1'500);
  EXPECT_EQ(waits.excuse(from_ns, monotonic_ns(), 300), "") << waits.between_ns(from_ns, monotonic_ns());
}

}  // namespace
}  // namespace holdfast
