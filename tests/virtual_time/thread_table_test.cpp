// The threads that a timekeeper watches: those that were numbered before they showed, and those that ended.
#include "virtual_time/thread_table.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

namespace holdfast {
namespace {

// A child that sleeps until it is destroyed.
class Sleeper {
 public:
  Sleeper() : number_(::fork()) {
    if (number_ == 0) {
      ::pause();
      ::_exit(0);
    }
  }
  ~Sleeper() {
    ::kill(number_, SIGKILL);
    ::waitpid(number_, nullptr, 0);
  }
  Sleeper(const Sleeper&) = delete;
  Sleeper& operator=(const Sleeper&) = delete;

  pid_t number() const { return number_; }
  // Waits until it sleeps.
  void settle() const {
    while (!WatchedThread(number_, number_).is_asleep()) ::usleep(100);
  }

 private:
  const pid_t number_;
};

// Gives up the numbers that show no thread; afterwards nothing is late.
void settle(ThreadTable& table) {
  while (table.settle()) continue;
}

bool has(const ThreadTable& table, pid_t tid) {
  return std::any_of(table.threads().begin(), table.threads().end(),
                     [&](const WatchedThread* thread) { return thread->tid() == tid; });
}

TEST(ThreadTable, FollowsNewNumbers) {
  const Sleeper first;
  ThreadTable table;
  EXPECT_TRUE(table.follow(first.number()));
  EXPECT_TRUE(has(table, first.number()));
  const Sleeper second;
  EXPECT_FALSE(has(table, second.number()));
  EXPECT_TRUE(table.follow(second.number()));
  EXPECT_TRUE(has(table, second.number()));
  EXPECT_FALSE(table.follow(second.number())) << "nothing is new";
}

TEST(ThreadTable, FindsWhatWasNumberedBeforeItShowed) {
  const Sleeper first;
  ThreadTable table;
  table.follow(first.number());
  settle(table);
  table.follow(first.number() + 1);  // nothing has this number yet
  const Sleeper second;
  ASSERT_EQ(second.number(), first.number() + 1) << "this lab has other processes";
  EXPECT_FALSE(table.follow(second.number())) << "its number was seen";
  EXPECT_FALSE(has(table, second.number()));
  EXPECT_TRUE(table.settle());
  EXPECT_TRUE(has(table, second.number()));
  EXPECT_FALSE(table.settle()) << "nothing is late any more";
}

TEST(ThreadTable, FindsItWhileOthersRunToo) {
  const Sleeper first;
  ThreadTable table;
  table.follow(first.number() + 1);
  EXPECT_FALSE(table.read_late());
  const Sleeper second;
  EXPECT_TRUE(table.read_late());
  EXPECT_TRUE(has(table, second.number()));
}

TEST(ThreadTable, FindsAllOfManyNewNumbers) {
  const Sleeper first;
  ThreadTable table;
  table.follow(first.number());
  std::vector<std::unique_ptr<Sleeper>> many;
  for (int i = 0; i < 100; ++i) many.push_back(std::make_unique<Sleeper>());
  EXPECT_TRUE(table.follow(many.back()->number() + 1));
  EXPECT_EQ(table.threads().size(), 101U);
  const Sleeper late;
  EXPECT_TRUE(table.settle());
  EXPECT_TRUE(has(table, late.number()));
}

TEST(ThreadTable, ForgetsNumbersThatShowNothing) {
  const Sleeper first;
  ThreadTable table;
  table.follow(first.number());
  settle(table);
  table.follow(first.number() + 1);
  EXPECT_TRUE(table.settle()) << "it may have woken others before it ended";
  const Sleeper second;
  EXPECT_FALSE(table.settle()) << "it is asked for once";
}

TEST(ThreadTable, ForgetsThoseNotedAsEnded) {
  ThreadTable table;
  pid_t ended = 0;
  {
    const Sleeper child;
    ended = child.number();
    table.follow(ended);
  }
  ASSERT_TRUE(has(table, ended));
  for (const WatchedThread* thread : table.threads()) table.note_ended(*thread);
  EXPECT_TRUE(table.follow(ended));
  EXPECT_TRUE(table.threads().empty());
  EXPECT_TRUE(table.processes().empty());
}

TEST(ThreadTable, ReadsANumberThatIsUsedAgain) {
  const Sleeper child;
  ThreadTable table;
  table.follow(child.number());
  settle(table);
  table.note_ended(*table.threads().front());
  EXPECT_TRUE(table.follow(child.number()));
  EXPECT_TRUE(table.threads().empty());
  EXPECT_TRUE(table.settle()) << "it has not ended";
  EXPECT_TRUE(has(table, child.number()));
}

TEST(ThreadTable, NamesTheProcessesThatEnded) {
  ThreadTable table;
  pid_t ended = 0;
  {
    const Sleeper child;
    ended = child.number();
    table.follow(ended);
    EXPECT_TRUE(table.take_ended_processes().empty());
    table.note_ended(*table.threads().front());
    table.follow(ended);
    EXPECT_TRUE(table.take_ended_processes().empty()) << "it has not ended";
  }
  EXPECT_EQ(table.take_ended_processes(), std::vector<pid_t>{ended});
  EXPECT_TRUE(table.take_ended_processes().empty());
}

TEST(ThreadTable, KnowsThreadsOfItsProcessesOnly) {
  const Sleeper child;
  ThreadTable table;
  table.follow(child.number() - 1);
  settle(table);
  std::thread own([] { ::usleep(1); });
  own.join();
  const Sleeper other;
  table.follow(other.number());
  EXPECT_EQ(table.threads().size(), 2U) << "the threads of this process are not watched";
  EXPECT_EQ(table.processes().size(), 2U);
  ThreadTable of_children;
  of_children.follow(child.number());
  EXPECT_TRUE(has(of_children, child.number()));
}

TEST(WatchedThread, IsAsleepOrNot) {
  const Sleeper child;
  child.settle();
  EXPECT_TRUE(WatchedThread(child.number(), child.number()).is_asleep());
  EXPECT_FALSE(WatchedThread(::getpid(), ::getpid()).is_asleep()) << "it runs this line";
  ::kill(child.number(), SIGSTOP);
  ::waitpid(child.number(), nullptr, WUNTRACED);
  EXPECT_TRUE(WatchedThread(child.number(), child.number()).is_asleep()) << "it is stopped";
}

}  // namespace
}  // namespace holdfast
