// Journals whose writer was killed, or whose disk is full: an error or a readable beginning, never a signal.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>

#include "artifact/error.hpp"
#include "history/journal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t kLostClient = 7;

Event numbered_event(std::uint64_t number) {
  Event event;
  event.number = number;
  event.time_ns = static_cast<std::int64_t>(number) * 10;
  return event;
}

// The number of events in the journal; they must be the first ones, in order and whole.
std::uint64_t events_in(const std::string& path) {
  JournalReader in(path);
  std::uint64_t count = 0;
  for (Event event; in.next(event); ++count) {
    EXPECT_EQ(event.number, count);
    EXPECT_EQ(event.time_ns, static_cast<std::int64_t>(count) * 10);
    EXPECT_EQ(event.client, kLostClient);
  }
  return count;
}

TEST(Journal, SurvivesTheKillOfItsWriter) {
  const TemporaryFolder folder;
  std::uint64_t longest = 0;
  // Ten kills, and then on until one came in the midst of its work: a busy machine may be slow to let the writer begin.
  for (int round = 0; round < 10 || (longest <= 100 && round < 50); ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      JournalWriter out(folder.file("j"), kLostClient);
      for (std::uint64_t n = 0;; ++n) out.event(numbered_event(n));
    }
    ::usleep(2000 + round * (round < 10 ? 700 : 5000));
    while (!std::filesystem::exists(folder.file("j"))) ::usleep(100);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    longest = std::max(longest, events_in(folder.file("j")));
  }
  EXPECT_GT(longest, 100u);
}

// Writes until it fails. 0: the failure was the HarnessError that it should be, and all before it can be read.
int fill(const std::string& path) {
  std::uint64_t written = 0;
  try {
    JournalWriter out(path, kLostClient);
    for (; written < 1'000'000; ++written) out.event(numbered_event(written));
    return 1;
  } catch (const HarnessError&) {
    return written > 0 && events_in(path) == written ? 0 : 2;
  }
}

int exit_code_of_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A file system of 900 KiB, seen by this process alone; false where the machine does not allow it.
bool mount_small(const std::string& path) {
  const std::string user = std::to_string(::getuid());  // the kernel knows neither until they are mapped
  const std::string group = std::to_string(::getgid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/uid_map") << "0 " + user + " 1";
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/gid_map") << "0 " + group + " 1";
  return ::mount("none", path.c_str(), "tmpfs", 0, "size=900k") == 0;
}

TEST(Journal, AFullDiskIsAnErrorAndNotASignal) {
  const TemporaryFolder folder;
  constexpr int kNotAllowed = 77;
  const int code =
      exit_code_of_child([&] { return mount_small(folder.path()) ? fill(folder.file("j")) : kNotAllowed; });
  if (code == kNotAllowed) GTEST_SKIP() << "this machine has no user namespaces";
  EXPECT_EQ(code, 0);
}

TEST(Journal, ALimitOnFilesIsAnErrorToo) {
  const TemporaryFolder folder;
  EXPECT_EQ(exit_code_of_child([&] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{3 * kJournalChunk, 3 * kJournalChunk};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              return fill(folder.file("j"));
            }),
            0);
}

}  // namespace
}  // namespace holdfast
