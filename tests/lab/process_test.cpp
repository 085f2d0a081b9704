// Child processes: how they start, end, stop, and what they cost.
#include "lab/process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/poll_until.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr int kLong_ms = 10'000;

Spawn shell(const std::string& script) {
  Spawn spawn;
  spawn.argv = {"/bin/sh", "-c", script};
  return spawn;
}

int exit_code(const std::string& script) {
  return spawn_process(shell(script)).wait(kLong_ms).value_or(-1);
}

void wait_for_state(const Process& process, char state) {
  poll_until([&] { return process.state() == state; }, 1, after_ms(kLong_ms));
  EXPECT_EQ(process.state(), state);
}

TEST(Process, EndsWithItsCodeOrSignal) {
  EXPECT_EQ(exit_code("exit 0"), 0);
  EXPECT_EQ(exit_code("exit 7"), 7);
  EXPECT_EQ(exit_code("kill -9 $$"), 128 + SIGKILL);
}

TEST(Process, WaitEndsWithItsTimeAndMayBeAskedAgain) {
  Process process = spawn_process(shell("read line"));
  EXPECT_EQ(process.wait(kLong_ms), 1) << "nothing on standard input";
  Process sleeper = spawn_process(shell("exec sleep 100"));
  EXPECT_EQ(sleeper.wait(0), std::nullopt);
  EXPECT_EQ(sleeper.wait(20), std::nullopt);
  EXPECT_TRUE(sleeper.signal(SIGKILL));
  EXPECT_EQ(sleeper.wait(kLong_ms), 128 + SIGKILL);
  EXPECT_EQ(sleeper.wait(0), 128 + SIGKILL);
  EXPECT_FALSE(sleeper.signal(SIGKILL)) << "it has ended";
  EXPECT_EQ(sleeper.state(), 'X');
}

TEST(Process, StateFollowsStopAndGoOn) {
  Process process = spawn_process(shell("exec sleep 100"));
  wait_for_state(process, 'S');
  process.signal(SIGSTOP);
  wait_for_state(process, 'T');
  process.signal(SIGCONT);
  wait_for_state(process, 'S');
  process.signal(SIGKILL);
  process.wait(kLong_ms);
}

// A process that runs for a moment and is stopped again looks the same, except for its processor time.
TEST(Process, BriefResumeIsDetected) {
  Process process = spawn_process(shell("while :; do :; done"));
  wait_for_state(process, 'R');
  EXPECT_EQ(process.stopped_at_ns(), std::nullopt) << "it runs";
  ASSERT_TRUE(process.signal(SIGSTOP));
  wait_for_state(process, 'T');
  const auto before_ns = process.stopped_at_ns();
  ASSERT_TRUE(before_ns);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(process.stopped_at_ns(), before_ns);
  ASSERT_TRUE(process.signal(SIGCONT));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_TRUE(process.signal(SIGSTOP));
  wait_for_state(process, 'T');
  EXPECT_GT(process.stopped_at_ns(), before_ns);
  process.signal(SIGKILL);
  process.wait(kLong_ms);
  EXPECT_EQ(process.stopped_at_ns(), std::nullopt) << "it is gone";
}

TEST(Process, CountsProcessorTimeOfItAndItsChildren) {
  Process busy = spawn_process(shell("sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'"));
  EXPECT_EQ(busy.wait(60'000), 0);
  EXPECT_GT(busy.cpu_seconds(), 0.01);
  Process idle = spawn_process(shell("exec sleep 0.2"));
  EXPECT_EQ(idle.wait(kLong_ms), 0);
  EXPECT_LT(idle.cpu_seconds(), 0.1);
}

TEST(Process, HasItsInputLogAndDescriptors) {
  const TemporaryFolder folder;
  Spawn spawn = shell("cat; echo said >&2; cat <&9");
  spawn.input = "given\n";
  spawn.log = folder.file("log");
  int line[2];
  ASSERT_EQ(::pipe(line), 0);
  ASSERT_EQ(::write(line[1], "piped\n", 6), 6);
  ::close(line[1]);
  spawn.descriptors[9] = line[0];
  EXPECT_EQ(spawn_process(spawn).wait(kLong_ms), 0);
  ::close(line[0]);
  EXPECT_EQ(read_text_file(folder.file("log")), "given\nsaid\npiped\n");
}

TEST(Process, EnvironmentExtendsTheParents) {
  const TemporaryFolder folder;
  Spawn spawn = shell("echo \"$HOLDFAST_TEST $PATH\"");
  spawn.environment["HOLDFAST_TEST"] = "given";
  spawn.log = folder.file("log");
  EXPECT_EQ(spawn_process(spawn).wait(kLong_ms), 0);
  EXPECT_EQ(read_text_file(folder.file("log")), std::string("given ") + ::getenv("PATH") + "\n");
}

TEST(Process, InheritsOnlyGivenDescriptors) {
  const TemporaryFolder folder;
  const int kept = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int own = ::fcntl(kept, F_DUPFD_CLOEXEC, 60);
  Spawn spawn = shell("for fd in /proc/$$/fd/*; do echo $fd; done");
  spawn.log = folder.file("log");
  spawn.descriptors[70] = own;
  EXPECT_EQ(spawn_process(spawn).wait(kLong_ms), 0);
  const std::string open = read_text_file(folder.file("log"));
  EXPECT_TRUE(contains(open, "/fd/70\n")) << open;
  EXPECT_FALSE(contains(open, "/fd/" + std::to_string(own) + "\n")) << open;
  EXPECT_FALSE(contains(open, "/fd/100\n")) << "the copy made on the way";
  ::close(own);
  ::close(kept);
}

TEST(Process, MissingProgramEndsWith127) {
  const TemporaryFolder folder;
  Spawn spawn;
  spawn.argv = {"/nonexistent/program"};
  spawn.log = folder.file("log");
  EXPECT_EQ(spawn_process(spawn).wait(kLong_ms), 127);
  EXPECT_EQ(read_text_file(folder.file("log")), "No such file or directory");
}

TEST(RunProgram, ThrowsWithTheProgramsOwnWords) {
  const TemporaryFolder folder;
  Spawn spawn = shell("echo first; echo no such device >&2; exit 3");
  spawn.log = folder.file("log");
  try {
    run_program(spawn);
    FAIL() << "nothing thrown";
  } catch (const HarnessError& failed) {
    EXPECT_STREQ(failed.what(), "/bin/sh failed with code 3: no such device");
  }
  EXPECT_NO_THROW(run_program(shell("exit 0")));
}

TEST(FindProgram, LooksInPathAndInTheFoldersOfAdministration) {
  EXPECT_EQ(find_program("sh", "dash").substr(0, 1), "/");
  try {
    find_program("no-such-program", "no-such-package");
    FAIL() << "nothing thrown";
  } catch (const Unavailable& missing) {
    EXPECT_STREQ(missing.what(), "no-such-program is not installed; remedy: apt-get install no-such-package");
  }
}

TEST(OwnProgram, IsTheRunningProgram) {
  EXPECT_TRUE(contains(own_program(), "unit_test"));
}

}  // namespace
}  // namespace holdfast
