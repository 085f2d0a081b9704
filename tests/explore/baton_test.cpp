// Programs that run only while they have the baton.
#include "explore/baton.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

namespace holdfast {
namespace {

TEST(Baton, ExactlyOneRuns) {
  Baton a;
  Baton b;
  std::string order;
  a.begin([&] {
    order += "a1 ";
    a.give_back();
    order += "a2 ";
  });
  b.begin([&] {
    order += "b1 ";
    b.give_back();
    order += "b2 ";
  });
  EXPECT_EQ(order, "") << "a program waits for its first baton";
  a.hand_over();
  b.hand_over();
  EXPECT_FALSE(a.ended());
  b.hand_over();
  a.hand_over();
  EXPECT_TRUE(a.ended() && b.ended());
  a.hand_over();  // has ended: nothing happens
  EXPECT_EQ(order, "a1 b1 b2 a2 ");
}

TEST(Baton, AnAbandonedProgramUnwinds) {
  Baton baton;
  bool unwound = false;
  bool caught = false;
  baton.begin([&] {
    struct Guard {
      bool& flag;
      ~Guard() { flag = true; }
    } guard{unwound};
    try {
      baton.give_back();
    } catch (const std::exception&) {
      caught = true;  // what locks catch is not this
    }
  });
  baton.hand_over();
  baton.abandon();
  EXPECT_TRUE(unwound);
  EXPECT_FALSE(caught);
  EXPECT_TRUE(baton.ended());
}

TEST(Baton, WhatAProgramThrowsReachesItsController) {
  Baton baton;
  baton.begin([] { throw std::runtime_error("broken"); });
  EXPECT_THROW(baton.hand_over(), std::runtime_error);
  EXPECT_TRUE(baton.ended());
  int runs = 0;
  baton.begin([&] { ++runs; });
  baton.hand_over();
  EXPECT_EQ(runs, 1) << "and the baton can be used again";
}

// What is being handled belongs to a stack: one program's handler ends while another's is still under way.
TEST(Baton, HandlersOfSeveralProgramsDoNotMeet) {
  Baton a;
  Baton b;
  std::string order;
  const auto program = [&order](Baton& baton, const char* name) {
    try {
      throw std::runtime_error(name);
    } catch (const std::runtime_error& thrown) {
      baton.give_back();
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
  a.hand_over();
  b.hand_over();
  EXPECT_FALSE(std::current_exception());
  a.hand_over();
  b.hand_over();
  EXPECT_EQ(order, "aa.bb.");
}

TEST(Baton, OneThreadAfterAnotherMayHandItOver) {
  Baton baton;
  int runs = 0;
  baton.begin([&] {
    ++runs;
    baton.give_back();
    ++runs;
  });
  std::thread([&] { baton.hand_over(); }).join();
  baton.hand_over();
  EXPECT_EQ(runs, 2);
  EXPECT_TRUE(baton.ended());
}

TEST(Baton, OneThatNeverRanCanBeAbandonedOrReplaced) {
  Baton baton;
  int runs = 0;
  baton.begin([&] { runs += 10; });
  baton.begin([&] { ++runs; });
  baton.hand_over();
  EXPECT_EQ(runs, 1);
  baton.begin([&] { runs += 100; });
}

}  // namespace
}  // namespace holdfast
