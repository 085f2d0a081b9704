// Processes of adapters: how they start, how they end, and what is left of them.
#include "adapter/adapter_process.hpp"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <thread>

#include "adapter/adapter_reader.hpp"
#include "adapter/running_time.hpp"
#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "tests/adapter/python_adapter.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using tests::shell_adapter;

std::string read_number(const TemporaryFolder& folder, const std::string& name) {
  std::string text;
  poll_until(
      [&] {
        std::ifstream in(folder.file(name));
        return std::getline(in, text) && !in.eof();
      },
      5, after_ms(10'000));
  return text;
}

TEST(AdapterProcesses, ExitCodeAndSignalAreReported) {
  const TemporaryFolder folder;
  AdapterProcess exits(shell_adapter(folder, "exit 3"));
  const auto code = exits.wait(10'000);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->text(), "exited with code 3");
  EXPECT_FALSE(code->clean());
  AdapterProcess killed(shell_adapter(folder, "kill -9 $$"));
  EXPECT_EQ(killed.wait(10'000).value_or(AdapterEnd{}).text(), "was ended by signal 9 (Killed)");
  AdapterProcess reads(shell_adapter(folder, "read line; exit 0"));
  EXPECT_FALSE(reads.wait(50));
  EXPECT_EQ(reads.write("x\n", 1'000), AdapterProcess::Written::all);
  EXPECT_TRUE(reads.wait(10'000).value_or(AdapterEnd{1, 1}).clean());
  EXPECT_EQ(reads.write("x\n", 1'000), AdapterProcess::Written::closed) << "and the signal of it does not end us";
}

TEST(AdapterProcesses, EndWhenTheirInputCloses) {
  const TemporaryFolder folder;
  AdapterProcess process(shell_adapter(folder, "cat >/dev/null"));
  EXPECT_FALSE(process.wait(50));
  process.close_input();
  EXPECT_TRUE(process.wait(10'000).value_or(AdapterEnd{1, 1}).clean());
}

// The time in which it is stopped does not count; waiting for one that is never resumed must still end.
TEST(AdapterProcesses, StoppedProcessIsGivenUpAfterItsLimit) {
  const TemporaryFolder folder;
  const AdapterProcess process(shell_adapter(folder, "exec sleep 60"));
  ASSERT_TRUE(process.signal_group(SIGSTOP));
  ASSERT_TRUE(poll_until([&] { return is_stopped(process_state(process.pid())); }, 5, after_ms(5'000)));
  const std::int64_t before = monotonic_ns();
  EXPECT_FALSE(process.wait(100, 300));
  const std::int64_t waited_ms = (monotonic_ns() - before) / 1'000'000;
  EXPECT_GE(waited_ms, 300) << "it was stopped from the beginning";
  EXPECT_LT(waited_ms, 20'000);
}

TEST(AdapterProcesses, WriteToProcessThatDoesNotReadIsTooSlow) {
  const TemporaryFolder folder;
  const AdapterProcess process(shell_adapter(folder, "sleep 60"));
  EXPECT_EQ(process.write(std::string(200'000, 'x'), 200), AdapterProcess::Written::too_slow);
}

TEST(AdapterProcesses, KillEndsTheWholeGroup) {
  const TemporaryFolder folder;
  pid_t child = 0;
  {
    const AdapterProcess process(shell_adapter(folder, "sleep 60 & echo $! > " + folder.file("child") + "; wait"));
    child = std::stoi(read_number(folder, "child"));
    EXPECT_NE(process_state(child), 'X');
    EXPECT_TRUE(process.signal_group(SIGSTOP));
    EXPECT_TRUE(poll_until([&] { return is_stopped(process_state(child)); }, 5, after_ms(5'000)));
  }
  const auto gone = [&] { return process_state(child) == 'X' || process_state(child) == 'Z'; };
  EXPECT_TRUE(poll_until(gone, 5, after_ms(5'000)));
}

// Killed with -9, we can take nothing with us: the kernel does.
TEST(AdapterProcesses, DieWithTheirParent) {
  const TemporaryFolder folder;
  const auto command = shell_adapter(folder, "echo $$ > " + folder.file("pid") + "; exec sleep 60");
  const pid_t starter = ::fork();
  if (starter == 0) {
    new AdapterProcess(command);
    ::pause();
    ::_exit(0);
  }
  const pid_t adapter = std::stoi(read_number(folder, "pid"));
  EXPECT_NE(process_state(adapter), 'X');
  ::kill(starter, SIGKILL);
  ::waitpid(starter, nullptr, 0);
  const auto gone = [&] { return process_state(adapter) == 'X' || process_state(adapter) == 'Z'; };
  EXPECT_TRUE(poll_until(gone, 5, after_ms(5'000)));
}

TEST(AdapterProcesses, KeepTheirLastLines) {
  const TemporaryFolder folder;
  folder.write("stderr.log", "of another\n");
  AdapterProcess process(shell_adapter(folder, "for i in $(seq 50); do echo; echo line $i >&2; done"));
  process.wait(10'000);
  const auto lines = process.last_lines();
  ASSERT_EQ(lines.size(), 40U);
  EXPECT_EQ(lines.front(), "line 11");
  EXPECT_EQ(lines.back(), "line 50");
  AdapterProcess silent(shell_adapter(folder, "true"));
  silent.wait(10'000);
  EXPECT_TRUE(silent.last_lines().empty());
}

// JavaScript and Java print the reason before the frames, and Go between them.
TEST(AdapterProcesses, ReasonIsOneLine) {
  std::vector<std::string> lines{"Error: Cannot find module 'x'", "Require stack:"};
  for (int i = 0; i < 20; ++i) lines.push_back("    at Module.load" + std::to_string(i) + " (node:internal/x:1)");
  lines.insert(lines.end(), {"\t/lock/main.go:12 +0x1d", "at last it ended"});
  EXPECT_EQ(in_one_line(lines),
            "Error: Cannot find module 'x' | Require stack: | at last it ended (21 stack frames left out)");
  EXPECT_EQ(in_one_line({}), "");
  EXPECT_EQ(in_one_line({"  File \"lock.py\", line 3", "    import x"}), "  File \"lock.py\", line 3 |     import x");
}

TEST(AdapterProcesses, EnvironmentHasOnlyGivenVariables) {
  const TemporaryFolder folder;
  ::setenv("HOLDFAST_TEST_HIDDEN", "1", 1);
  auto command =
      shell_adapter(folder, "echo \"$A$HOLDFAST_TEST_HIDDEN\" >&2; ls /proc/self/fd | tail -n +4 >&2; pwd >&2");
  command.environment["A"] = "given";
  command.folder = folder.path();
  const int open = ::dup(0);  // no adapter may have it
  AdapterProcess process(command);
  process.wait(10'000);
  ::close(open);
  EXPECT_EQ(in_one_line(process.last_lines()), "given | 3 | " + folder.path()) << "3: the folder that ls reads";
}

TEST(AdapterProcesses, ProgramThatCannotBeExecutedIsUnavailable) {
  const TemporaryFolder folder;
  const auto refused = [&](const AdapterCommand& command) {
    try {
      AdapterProcess process(command);
    } catch (const Unavailable& wrong) {
      return std::string(wrong.what());
    } catch (const HarnessError& wrong) {
      return std::string(wrong.what());
    }
    return std::string("started");
  };
  EXPECT_TRUE(contains(refused({{folder.file("none")}, {}, ""}), "none cannot be executed: No such file"));
  EXPECT_TRUE(contains(refused({{"/bin/sh"}, {}, folder.file("no/log")}), "no/log: cannot be opened: No such file"));
}

TEST(AdapterReaders, GiveLinesAndTheUnfinishedRest) {
  const TemporaryFolder folder;
  const AdapterProcess process(shell_adapter(
      folder,
      "printf 'one\\n\\ntw'; sleep 0.1; printf 'o\\n'; head -c 100000 /dev/zero | tr '\\0' x; printf '\\nrest'"));
  std::vector<AdapterLine> lines;
  std::string rest;
  std::atomic<bool> ended = false;
  const std::int64_t before = monotonic_ns();
  {
    const AdapterReader reader(
        process.output(), [&](const AdapterLine& line) { lines.push_back(line); },
        [&](const std::string& left) {
          rest = left;
          ended = true;
        });
    EXPECT_TRUE(poll_until([&] { return ended.load(); }, 5, after_ms(10'000)));
  }
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].text, "one");
  EXPECT_EQ(lines[1].text, "");
  EXPECT_EQ(lines[2].text, "two");
  EXPECT_EQ(lines[3].text.size(), kLongestMessage + 1) << "cut off just behind what a message may have";
  EXPECT_EQ(rest, "rest");
  EXPECT_LE(before, lines[0].read_ns);
  EXPECT_GE(lines[2].read_ns - lines[0].read_ns, 50'000'000) << "each has the time at which it was read";
}

TEST(RunningTimes, CountNothingWhileStopped) {
  constexpr std::int64_t kMs = 1'000'000;
  RunningTime time;
  time.sample(0, 'S');
  time.sample(20 * kMs, 'R');
  EXPECT_EQ(time.ran_ns(), 20 * kMs);
  time.sample(40 * kMs, 'T');
  time.sample(900 * kMs, 'T');
  time.sample(920 * kMs, 'S');
  EXPECT_EQ(time.ran_ns(), 20 * kMs) << "what lies beside a stop is not counted either";
  time.sample(940 * kMs, 't');
  time.sample(960 * kMs, 'R');
  time.sample(980 * kMs, 'S');
  EXPECT_EQ(time.ran_ns(), 40 * kMs);
  time.sample(5'000 * kMs, 'S');
  EXPECT_EQ(time.ran_ns(), 120 * kMs) << "who samples was stopped itself: a little counts";
}

TEST(RunningTimes, CountAStopWhileItLasts) {
  RunningTime time;
  time.sample(5, 'S');
  EXPECT_EQ(time.stopped_ns(), 0);
  time.sample(10, 'T');
  EXPECT_EQ(time.stopped_ns(), 0);
  time.sample(25, 't');
  EXPECT_EQ(time.stopped_ns(), 15);
  time.sample(30, 'R');
  EXPECT_EQ(time.stopped_ns(), 0) << "it goes on";
  time.sample(40, 'T');
  time.sample(41, 'T');
  EXPECT_EQ(time.stopped_ns(), 1) << "another stop";
}

// On the first processor that we may use.
void pin(pid_t pid) {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  ::sched_getaffinity(0, sizeof mine, &mine);
  int first = 0;
  while (!CPU_ISSET(first, &mine)) ++first;
  CPU_ZERO(&mine);
  CPU_SET(first, &mine);
  ::sched_setaffinity(pid, sizeof mine, &mine);
}

// Two that compute, on one processor: each gets about half of it.
TEST(FairTimes, LeaveOutWaitsForAProcessor) {
  if (!not_counted().empty()) GTEST_SKIP() << not_counted();
  const TemporaryFolder folder;
  const AdapterProcess one(shell_adapter(folder, "while :; do :; done"));
  const AdapterProcess other(shell_adapter(folder, "while :; do :; done"));
  pin(one.pid());
  pin(other.pid());
  FairTime fair(one.pid());
  RunningTime all;
  const auto shorter = [&] {
    fair.sample(monotonic_ns());
    all.sample(monotonic_ns(), process_state(one.pid()));
    return all.ran_ns() - fair.ran_ns() > 500'000'000;
  };
  EXPECT_TRUE(poll_until(shorter, kSample_ms, after_ms(60'000)));
  EXPECT_GE(fair.ran_ns(), all.ran_ns() / kLongestStretch) << "a limit is reached at last";
}

TEST(FairTimes, CountSleep) {
  const TemporaryFolder folder;
  const AdapterProcess sleeper(shell_adapter(folder, "exec sleep 60"));
  FairTime fair(sleeper.pid());
  RunningTime all;
  const auto slept = [&] {
    fair.sample(monotonic_ns());
    all.sample(monotonic_ns(), process_state(sleeper.pid()));
    return all.ran_ns() > 2'000'000'000;
  };
  ASSERT_TRUE(poll_until(slept, kSample_ms, after_ms(60'000)));
  EXPECT_GE(fair.ran_ns(), all.ran_ns() * 9 / 10);
}

}  // namespace
}  // namespace holdfast
