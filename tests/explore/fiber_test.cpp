// Programs that run only when resumed, and wait where they yield.
#include "explore/fiber.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

namespace holdfast {
namespace {

TEST(Fiber, ExactlyOneRuns) {
  Fiber a;
  Fiber b;
  std::string order;
  a.begin([&] {
    order += "a1 ";
    a.yield();
    order += "a2 ";
  });
  b.begin([&] {
    order += "b1 ";
    b.yield();
    order += "b2 ";
  });
  EXPECT_EQ(order, "") << "a program waits for its first fiber";
  a.resume();
  b.resume();
  EXPECT_FALSE(a.ended());
  b.resume();
  a.resume();
  EXPECT_TRUE(a.ended() && b.ended());
  a.resume();  // has ended: nothing happens
  EXPECT_EQ(order, "a1 b1 b2 a2 ");
}

TEST(Fiber, AnAbandonedProgramUnwinds) {
  Fiber fiber;
  bool unwound = false;
  bool caught = false;
  fiber.begin([&] {
    struct Guard {
      bool& flag;
      ~Guard() { flag = true; }
    } guard{unwound};
    try {
      fiber.yield();
    } catch (const std::exception&) {
      caught = true;  // locks do not catch this
    }
  });
  fiber.resume();
  fiber.abandon();
  EXPECT_TRUE(unwound);
  EXPECT_FALSE(caught);
  EXPECT_TRUE(fiber.ended());
}

TEST(Fiber, ExceptionReachesTheController) {
  Fiber fiber;
  fiber.begin([] { throw std::runtime_error("broken"); });
  EXPECT_THROW(fiber.resume(), std::runtime_error);
  EXPECT_TRUE(fiber.ended());
  int runs = 0;
  fiber.begin([&] { ++runs; });
  fiber.resume();
  EXPECT_EQ(runs, 1) << "and the fiber can be used again";
}

// The exception being handled belongs to a stack: one program's handler ends while another's is still running.
TEST(Fiber, HandlersOfSeveralProgramsDoNotMeet) {
  Fiber a;
  Fiber b;
  std::string order;
  const auto program = [&order](Fiber& fiber, const char* name) {
    try {
      throw std::runtime_error(name);
    } catch (const std::runtime_error& thrown) {
      fiber.yield();
      order += thrown.what();
      try {
        throw;
      } catch (const std::runtime_error& again) {
        order += again.what();
      }
    }
    order += std::current_exception() ? "?" : ".";
  };
  a.begin([&] { program(a, "a"); });
  b.begin([&] { program(b, "b"); });
  a.resume();
  b.resume();
  EXPECT_FALSE(std::current_exception());
  a.resume();
  b.resume();
  EXPECT_EQ(order, "aa.bb.");
}

TEST(Fiber, MayMoveBetweenThreads) {
  Fiber fiber;
  int runs = 0;
  fiber.begin([&] {
    ++runs;
    fiber.yield();
    ++runs;
  });
  std::thread([&] { fiber.resume(); }).join();
  fiber.resume();
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(fiber.ended());
}

TEST(Fiber, UnstartedProgramCanBeAbandonedOrReplaced) {
  Fiber fiber;
  int runs = 0;
  fiber.begin([&] { runs += 10; });
  fiber.begin([&] { ++runs; });
  fiber.resume();
  EXPECT_EQ(runs, 1);
  fiber.begin([&] { runs += 100; });
}

}  // namespace
}  // namespace holdfast
