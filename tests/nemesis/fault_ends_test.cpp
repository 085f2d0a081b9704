// Ends of a fault: after a time, at a client's point, or with the trial.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/nemesis/carried_out.hpp"

namespace holdfast {
namespace {

constexpr const char* kUntilGranted = R"(, "until": {"phase": "granted"})";

TEST(Nemesis, FaultMayEndAtAClientsPoint) {
  FakeWorld world;
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, kUntilGranted)});
  EXPECT_EQ(report.errors, Tellings{});
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "stop 2", "release 2", "arrives 4", "go on 2", "release 4"}));
  EXPECT_EQ(report.events.size(), 2u);
}

TEST(Nemesis, UnreachedEndPointIsAnErrorAndHealed) {
  FakeWorld world;
  world.arrives_at_end.reset();
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, kUntilGranted)});
  EXPECT_EQ(
      only_error(report),
      "fault pause: no client reached the point that ends it; remedy: choose another `until`, or a longer duration_ms");
  EXPECT_EQ(world.told().back(), "go on 2");
}

TEST(Nemesis, EndingClientContinuesAfterAFailedHeal) {
  FakeWorld world;
  world.breaks = "go on";
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, kUntilGranted)});
  EXPECT_EQ(only_error(report), "fault pause: the world broke");
  EXPECT_EQ(world.told().back(), "release 4");
}

TEST(Nemesis, AFaultWithoutAnEndLastsUntilTheTrialCloses) {
  FakeWorld world;
  const std::vector<FaultSpec> specs{fault_spec("pause", kAtPhase)};
  Nemesis endless(world, specs, {});
  endless.start();
  while (world.told().size() < 3) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(endless.all_healed());
  EXPECT_EQ(world.told().back(), "release 2");
  world.closed = true;
  EXPECT_EQ(endless.finish().errors, Tellings{});
  EXPECT_EQ(world.told().back(), "go on 2");
}

}  // namespace
}  // namespace holdfast
