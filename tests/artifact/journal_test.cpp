// Journals: what was recorded is read, whatever happened to the writer.
#include "artifact/journal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <tuple>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {

// For RapidCheck's and GoogleTest's comparisons.
inline bool operator==(const Statement& a, const Statement& b) {
  return std::tie(a.name, a.call_ns, a.return_ns, a.rows, a.error) ==
         std::tie(b.name, b.call_ns, b.return_ns, b.rows, b.error);
}
inline bool operator==(const Event& a, const Event& b) {
  return std::tie(a.time_ns, a.type, a.op, a.reason, a.process, a.client, a.key, a.number, a.grant, a.token, a.lease_ns,
                  a.statements) == std::tie(b.time_ns, b.type, b.op, b.reason, b.process, b.client, b.key, b.number,
                                            b.grant, b.token, b.lease_ns, b.statements);
}

namespace {

constexpr std::uint32_t kClient = 7;

Event numbered(std::uint64_t number) {
  Event event;
  event.number = number;
  event.client = kClient;
  event.time_ns = static_cast<std::int64_t>(number) * 10;
  return event;
}

std::vector<Event> read_all(const std::string& path) {
  JournalReader in(path);
  std::vector<Event> events;
  for (Event event; in.next(event);) events.push_back(event);
  return events;
}

Event any_event() {
  Event event = numbered(*rc::gen::arbitrary<std::uint64_t>());
  event.time_ns = *rc::gen::arbitrary<std::int64_t>();
  event.type = static_cast<EventType>(*rc::gen::inRange(0, 4));
  event.op = static_cast<Op>(*rc::gen::inRange(0, 5));
  event.reason = static_cast<Reason>(*rc::gen::inRange(0, 9));
  event.process = *rc::gen::arbitrary<std::uint32_t>();
  event.key = *rc::gen::arbitrary<std::uint32_t>();
  event.grant = *rc::gen::arbitrary<std::uint64_t>();
  if (*rc::gen::arbitrary<bool>()) event.token = *rc::gen::arbitrary<std::uint64_t>();
  if (*rc::gen::arbitrary<bool>()) event.lease_ns = *rc::gen::arbitrary<std::int64_t>();
  for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
    event.statements.push_back({*rc::gen::container<std::string>(rc::gen::arbitrary<char>()),
                                *rc::gen::arbitrary<std::int64_t>(), *rc::gen::arbitrary<std::int64_t>(),
                                *rc::gen::arbitrary<std::int64_t>(), *rc::gen::arbitrary<int>()});
  }
  return event;
}

RC_GTEST_PROP(JournalProperty, WhatIsRecordedIsRead, ()) {
  const TemporaryFolder folder;
  std::vector<Event> events;
  for (int n = *rc::gen::inRange(0, 60); n > 0; --n) events.push_back(any_event());
  {
    JournalWriter out(folder.file("j"), kClient);
    for (const auto& event : events) out.event(event);
  }
  RC_ASSERT(read_all(folder.file("j")) == events);
}

TEST(Journal, RecordsGoOnInTheNextChunk) {
  const TemporaryFolder folder;
  constexpr std::uint64_t kMany = 5'000;  // about five chunks
  JournalWriter out(folder.file("j"), kClient);
  for (std::uint64_t n = 0; n < kMany; ++n) {
    out.statement({std::string(n % 256, 's'), 1, 2, 3, 4});  // lengths that meet a chunk's end in every way
    out.event(numbered(n));
  }
  const auto events = read_all(folder.file("j"));  // the writer is still alive: its file has an unused rest
  ASSERT_EQ(events.size(), kMany);
  for (std::uint64_t n = 0; n < kMany; ++n) {
    ASSERT_EQ(events[n].number, n);
    ASSERT_EQ(events[n].statements.at(0).name.size(), n % 256);
  }
  EXPECT_GT(read_text_file(folder.file("j")).size(), 3 * kJournalChunk);
}

TEST(Journal, AStatementWithoutACompletionIsKept) {
  const TemporaryFolder folder;
  JournalWriter out(folder.file("j"), kClient);
  out.event(numbered(1));
  out.statement({"insert", 5, 6, 1, 0});
  JournalReader in(folder.file("j"));
  Event event;
  EXPECT_TRUE(in.next(event));
  EXPECT_FALSE(in.next(event));
  ASSERT_EQ(in.unfinished().size(), 1u);
  EXPECT_EQ(in.unfinished()[0].name, "insert");
}

// The length word is stored last, so a record that was being written has none.
TEST(Journal, ARecordWithoutItsLengthIsNotRead) {
  const TemporaryFolder folder;
  const std::string path = folder.file("j");
  { JournalWriter(path, kClient).event(numbered(1)); }
  const std::string one = read_text_file(path);
  std::string half = one;
  std::memset(half.data(), 0, 4);
  EXPECT_EQ(read_all(folder.write("j", one + half)).size(), 1u);
  EXPECT_EQ(read_all(folder.write("j", one + one)).size(), 2u);
  EXPECT_EQ(read_all(folder.write("j", one + one.substr(0, one.size() - 1))).size(), 1u) << "cut short";
  EXPECT_EQ(read_all(folder.write("j", "")).size(), 0u);
}

TEST(Journal, SurvivesTheKillOfItsWriter) {
  const TemporaryFolder folder;
  std::size_t longest = 0;
  for (int round = 0; round < 10; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      JournalWriter out(folder.file("j"), kClient);
      for (std::uint64_t n = 0;; ++n) out.event(numbered(n));
    }
    ::usleep(2000 + round * 700);
    while (!std::filesystem::exists(folder.file("j"))) ::usleep(100);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto events = read_all(folder.file("j"));
    for (std::uint64_t n = 0; n < events.size(); ++n) ASSERT_EQ(events[n], numbered(n));
    longest = std::max(longest, events.size());
  }
  EXPECT_GT(longest, 100u);
}

// Writes until it fails. 0: the failure was the HarnessError that it should be, and all before it can be read.
int fill(const std::string& path) {
  std::uint64_t written = 0;
  try {
    JournalWriter out(path, kClient);
    for (; written < 1'000'000; ++written) out.event(numbered(written));
    return 1;
  } catch (const HarnessError&) {
    return written > 0 && read_all(path).size() == written ? 0 : 2;
  }
}

int exit_code_of_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A file system of 200 KiB, seen by this process alone; false where the machine does not allow it.
bool mount_small(const std::string& path) {
  const std::string user = std::to_string(::getuid());  // the kernel knows neither until they are mapped
  const std::string group = std::to_string(::getgid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/uid_map") << "0 " + user + " 1";
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/gid_map") << "0 " + group + " 1";
  return ::mount("none", path.c_str(), "tmpfs", 0, "size=200k") == 0;
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

TEST(Journal, CannotBeMadeOrRead) {
  EXPECT_THROW(JournalWriter("/nonexistent/j", kClient), HarnessError);
  EXPECT_THROW(JournalReader("/nonexistent/j"), BadInput);
}

}  // namespace
}  // namespace holdfast
