// A wall clock set wrong in the vDSO: of a program with threads, of its children, and of Python; what the pages then
// say, and what is said where it cannot be done.
#include "lab/vdso_clock.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <chrono>
#include <future>

#include "artifact/poll_until.hpp"
#include "lab/process.hpp"
#include "lab/stopped_group.hpp"
#include "tests/lab/vdso_threads.hpp"
#include "tests/lab/vdso_victim.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

constexpr uid_t kNobody = 65534;
using Pids = std::vector<pid_t>;

class VdsoClockTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_vdso_clock(); !why.empty()) GTEST_SKIP() << why;
  }
};

// The exception of a call in a process of its own, which may become another user there; "" if it throws nothing.
template <typename Call>
std::string said_apart(const Call& call) {
  const AskedProgram apart([&call](int, int out) {
    std::string said;
    try {
      call();
    } catch (const std::exception& failed) {
      said = failed.what();
    }
    static_cast<void>(::write(out, (said + "\n").c_str(), said.size() + 1));
    ::_exit(0);
  });
  return apart.answer();
}

// Root of a namespace of one user cannot become another.
constexpr const char* kNobodyElse = "no other user";

void become_nobody() {
  if (::setresgid(kNobody, kNobody, kNobody) == 0 && ::setresuid(kNobody, kNobody, kNobody) == 0) return;
  if (errno == EINVAL) throw Unavailable(kNobodyElse);
  throw HarnessError("to become nobody: " + system_text(errno));
}

pid_t pid_in(const std::string& answer) {
  return static_cast<pid_t>(numbers_in(answer)["pid"]);
}

TEST_F(VdsoClockTest, MovesEveryWallClockInEveryThreadAndNoOther) {
  const AskedProgram victim(clock_victim(4));
  VdsoClock clock(victim.pid());
  EXPECT_EQ(without_vdso_clock(victim.pid()), Pids{victim.pid()});
  clock.equip();
  EXPECT_EQ(without_vdso_clock(victim.pid()), Pids{});
  expect_ahead(victim, 0);
  expect_it_follows(victim, clock);
  EXPECT_EQ(clock.read_back().with, Pids{victim.pid()});
}

TEST_F(VdsoClockTest, EquipTwiceKeepsTheOffset) {
  const AskedProgram victim(clock_victim(1));
  VdsoClock clock(victim.pid());
  clock.equip();
  clock.set_offset(kOneOffset_ns);
  for (int again = 0; again < 3; ++again) clock.equip();
  expect_ahead(victim, kOneOffset_ns);
  VdsoClock another(victim.pid());  // of a runner without knowledge of the first
  EXPECT_TRUE(contains(another.read_back().wrong, " ns off, not 0")) << another.read_back().wrong;
  another.equip();
  expect_ahead(victim, 0);
}

TEST_F(VdsoClockTest, AForkedChildHasItAndExecuteLosesIt) {
  const AskedProgram victim(clock_victim(0));
  VdsoClock clock(victim.pid());
  clock.equip();
  clock.set_offset(kOneOffset_ns);
  const pid_t child = pid_in(victim.ask("fork"));
  EXPECT_EQ(clock.read_back().with, (Pids{victim.pid(), child}));
  expect_ahead(victim, kOneOffset_ns);
  clock.set_offset(kOtherOffset_ns);
  expect_ahead(victim, kOtherOffset_ns);
  victim.tell("execute");
  EXPECT_TRUE(poll_until([&] { return clock.read_back().without == Pids{child}; }, 1, after_ms(10'000)));
  EXPECT_EQ(clock.read_back().with, Pids{victim.pid()});
  EXPECT_EQ(clock.read_back().wrong, "");
  clock.equip();
  EXPECT_EQ(clock.read_back().with, (Pids{victim.pid(), child}));
  EXPECT_EQ(clock.read_back().wrong, "");
  ::kill(child, SIGKILL);
  expect_ahead(victim, kOtherOffset_ns);
}

TEST_F(VdsoClockTest, MovesPythonsClocksButNotItsSleep) {
  const std::string script =
      "import sys, time, datetime\n"
      "for line in sys.stdin:\n"
      "  begin = time.monotonic_ns()\n"
      "  time.sleep(0.05)\n"
      "  took = time.monotonic_ns() - begin\n"
      "  print(f'wall={time.time_ns()} micro={int(datetime.datetime.now().timestamp() * 1e6 + 0.5) * 1000}'\n"
      "        f' monotonic={time.monotonic_ns()} monotonic_slept={begin + took}', flush=True)\n";
  const AskedProgram python({find_program("python3", "python3"), "-c", script});
  expect_ahead(python, 0);
  VdsoClock clock(python.pid());
  clock.equip();
  expect_it_follows(python, clock);
}

TEST_F(VdsoClockTest, WaitsForAThreadInsideThePatchedCode) {
  const AskedProgram victim(clock_victim(0));
  victim.ask("stand");
  VdsoClock clock(victim.pid());
  auto equipped = std::async(std::launch::async, [&clock] { clock.equip(); });
  EXPECT_EQ(equipped.wait_for(std::chrono::milliseconds(300)), std::future_status::timeout) << "it did not wait";
  EXPECT_EQ(without_vdso_clock(victim.pid()), Pids{victim.pid()});
  victim.ask("go on");
  ASSERT_EQ(equipped.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  equipped.get();
  clock.set_offset(kOneOffset_ns);
  expect_ahead(victim, kOneOffset_ns);
}

// Such a parent does not stop before its child goes on; it has the same memory.
TEST_F(VdsoClockTest, AParentInVforkIsNotWaitedFor) {
  const AskedProgram victim(clock_victim(1));
  victim.tell("vfork");
  ASSERT_TRUE(poll_until([&] { return Process(victim.pid(), -1).state() == 'D'; }, 1, after_ms(10'000)));
  const std::int64_t begin_ns = true_ns(CLOCK_MONOTONIC);
  VdsoClock clock(victim.pid());
  clock.equip();
  clock.set_offset(kOneOffset_ns);
  EXPECT_LT(true_ns(CLOCK_MONOTONIC) - begin_ns, 5 * kSecond_ns);
  EXPECT_EQ(clock.read_back().with.size(), 2U);
  EXPECT_EQ(victim.answer(), "its child has ended");
  expect_ahead(victim, kOneOffset_ns);
}

TEST_F(VdsoClockTest, StoppedProcessStaysStopped) {
  const AskedProgram victim(clock_victim(2));
  const auto state = [&victim] { return Process(victim.pid(), -1).state(); };
  ASSERT_EQ(::kill(victim.pid(), SIGSTOP), 0);
  ASSERT_TRUE(poll_until([&] { return state() == 'T'; }, 1, after_ms(10'000)));
  VdsoClock clock(victim.pid());
  clock.equip();
  clock.set_offset(kOneOffset_ns);
  EXPECT_EQ(state(), 'T');
  EXPECT_EQ(clock.read_back().wrong, "");
  ::kill(victim.pid(), SIGCONT);
  expect_ahead(victim, kOneOffset_ns);
}

// Sabotage: the code is there, but the offset is another; or a jump to it is not.
TEST_F(VdsoClockTest, ReadBackDetectsTampering) {
  const AskedProgram victim(clock_victim(0));
  VdsoClock clock(victim.pid());
  clock.equip();
  clock.set_offset(kOneOffset_ns);
  const ProcessMemory memory(victim.pid());
  const auto range = memory.range("[vdso]").value();
  const VdsoImage image = read_vdso_image(memory.read(range.begin, range.size).value(), vdso_code().bytes.size());
  const std::uint64_t count = range.begin + image.room + offsetof(VdsoTable, count);
  ASSERT_EQ(memory.read(count, 1), std::string(1, '\1'));
  ASSERT_TRUE(memory.write(count, std::string_view("\0", 1)));  // the slot that was in force before
  EXPECT_EQ(clock.read_back().wrong, "the clock of process " + std::to_string(victim.pid()) + " is 0 ns off, not " +
                                         std::to_string(kOneOffset_ns));
  clock.set_offset(kOneOffset_ns);
  EXPECT_EQ(clock.read_back().wrong, "");
  ASSERT_TRUE(memory.write(range.begin + image.entries.front().jump, "\x90"));
  EXPECT_EQ(clock.read_back().without, Pids{victim.pid()});
  EXPECT_THROW(clock.set_offset(0), HarnessError) << "nobody has a clock that can be set";
}

TEST_F(VdsoClockTest, MissingOrOwnGroupIsRefused) {
  EXPECT_THROW(VdsoClock(::getpgrp()).equip(), HarnessError);
  pid_t ended = 0;
  {
    const AskedProgram victim(clock_victim(0));
    ended = victim.pid();
  }
  EXPECT_THROW(VdsoClock(ended).equip(), HarnessError);
  EXPECT_THROW(VdsoClock(ended).set_offset(1), HarnessError);
}

// Root reaches every process: it becomes nobody first. Any other user meets a process that has made itself unreadable.
TEST_F(VdsoClockTest, WithoutPermissionNamesTheRemedyAndStopsNothing) {
  const AskedProgram victim([](int in, int out) {
    ::prctl(PR_SET_DUMPABLE, 0);
    static_cast<void>(::write(out, "made\n", 5));
    clock_victim(in, out, 1);
  });
  victim.answer();
  const std::string said = said_apart([&victim] {
    if (::geteuid() == 0) become_nobody();
    VdsoClock(victim.pid()).equip();
  });
  if (said == kNobodyElse) GTEST_SKIP() << "root of a namespace reaches everybody in it";
  EXPECT_TRUE(contains(said, "/mem: Permission denied; remedy: ")) << said;
  EXPECT_TRUE(::geteuid() != 0 || contains(said, "run it as user 65534, like this program, not as 0")) << said;
  expect_ahead(victim, 0);
}

// As in a lab: a user that is root of a namespace of its own.
TEST_F(VdsoClockTest, WorksForAnyUserInANamespaceOfItsOwn) {
  const std::string said = said_apart([] {
    try {
      if (::geteuid() == 0) become_nobody();
    } catch (const Unavailable&) {  // it is in one already
    }
    ::prctl(PR_SET_DUMPABLE, 1);  // a change of user has taken it
    if (::unshare(CLONE_NEWUSER) != 0) throw Unavailable("no namespace");
    const AskedProgram victim(clock_victim(2));
    VdsoClock clock(victim.pid());
    clock.equip();
    expect_it_follows(victim, clock);
    if (testing::Test::HasFailure()) throw HarnessError("see above");
  });
  if (said == "no namespace") GTEST_SKIP() << "this machine allows no user namespace";
  EXPECT_EQ(said, "");
}

}  // namespace
}  // namespace holdfast
