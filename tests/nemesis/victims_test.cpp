// Victims of a fault: no client that is gone already, and none that an equal fault still strikes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "artifact/error.hpp"
#include "nemesis/fault_run.hpp"
#include "tests/nemesis/carried_out.hpp"

namespace holdfast {
namespace {

// Its heal would end the other's as well, and both would be reported as in force throughout.
TEST(Victims, TwoEqualFaultsOnOneVictimAreAnError) {
  FakeWorld world;
  world.load_began_ns = -1;
  const std::vector<FaultSpec> specs{
      fault_spec("pause", R"("at": {"time_ms": 0})", R"(, "target": "client:2")"),  // until the trial closes
      fault_spec("pause", R"("at": {"time_ms": 1})", R"(, "for_ms": 1, "target": "client:2")")};
  Nemesis nemesis(world, specs, {});
  nemesis.start();
  while (!nemesis.early_acted()) std::this_thread::yield();
  world.load_began_ns = world.time().now_ns();
  while (nemesis.errors().empty()) std::this_thread::yield();
  world.closed = true;
  EXPECT_EQ(only_error(nemesis.finish()),
            "fault pause: another pause still strikes the same target; remedy: use a later `at`, or a shorter fault "
            "before it");
  const auto told = world.told();
  EXPECT_EQ(std::count(told.begin(), told.end(), "stop 2"), 1);
  EXPECT_EQ(std::count(told.begin(), told.end(), "go on 2"), 1);
}

TEST(Victims, DeadClientIsNotStruck) {
  FakeWorld world;
  world.processes.kill(1);
  const auto all = R"(, "for_ms": 1, "target": "everyone")";
  EXPECT_EQ(carried_out(world, {fault_spec("pause", kAtPhase, all)}).events.at(0).clients, (Victims{0, 2, 3, 4}));
  const auto again = carried_out(world, {fault_spec("kill", kAtPhase, R"(, "for_ms": 1, "target": "client:1")")});
  EXPECT_EQ(only_error(again), "fault kill: client 1 no longer exists");
  EXPECT_EQ(world.told().back(), "release 2");
}

TEST(Victims, MissingSessionCannotBeEnded) {
  FakeWorld world;
  world.has_session = false;
  EXPECT_EQ(only_error(carried_out(world, {fault_spec("connection_kill", kAtPhase)})),
            "fault connection_kill: client 2 has no session that could be ended");
}

// The end of a fault is proved after its client has gone on, and the client may reach the next fault's point at once.
TEST(NemesisRecord, FaultWaitsForTheEndOfTheEarlierOne) {
  using std::chrono::steady_clock;
  NemesisRecord record;
  const std::string pause = "pause";
  const std::string kill = "kill";
  const Victims both{1, 2};
  const Victims one{2};
  auto first = std::make_unique<SoleStrike>(record, pause, both);
  std::thread ending([&first] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    first.reset();
  });
  const auto from = steady_clock::now();
  EXPECT_NO_THROW(SoleStrike(record, pause, one));
  EXPECT_GE(steady_clock::now() - from, std::chrono::milliseconds(40)) << "not before it had ended";
  ending.join();
  const SoleStrike other(record, kill, one);
  EXPECT_NO_THROW(SoleStrike(record, pause, one)) << "of another kind";
  EXPECT_THROW(SoleStrike(record, kill, both), HarnessError) << "it never ends";
}

}  // namespace
}  // namespace holdfast
