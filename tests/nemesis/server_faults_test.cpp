// Faults of the server: whom they strike, and what each takes for proof.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "nemesis/nemesis.hpp"
#include "tests/nemesis/fake_world.hpp"
#include "tests/nemesis/fault_specs.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using Tellings = std::vector<std::string>;

NemesisReport struck(FakeWorld& world, const FaultSpec& spec) {
  const std::vector<FaultSpec> specs{spec};
  Nemesis nemesis(world, specs, {});
  nemesis.start();
  return nemesis.finish();
}

NemesisReport killed(FakeWorld& world) {
  return struck(world, fault_spec("server_kill", kAtPhase, R"(, "target": "server", "for_ms": 40)"));
}

TEST(ServerFaults, StrikeTheServerForAnyArrival) {
  FakeWorld world;
  const auto report = struck(world, fault_spec("server_pause", kAtPhase, R"(, "target": "server:0", "for_ms": 40)"));
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "stop server 0", "release 2", "go on server 0"}));
  EXPECT_EQ(report.errors, Tellings{});
}

TEST(ServerFaults, StrikeSeveralServers) {
  FakeWorld world;
  world.servers_there = 5;
  const auto report = struck(world, fault_spec("server_kill", kAtPhase, R"(, "target": "server:3,0,4", "for_ms": 40)"));
  EXPECT_EQ(world.told(),
            (Tellings{"arrives 2", "canary 3", "kill server 3", "canary 0", "kill server 0", "canary 4",
                      "kill server 4", "release 2", "restart server 3", "restart server 0", "restart server 4"}));
}

TEST(ServerFaults, AcceptOnlyServerTargets) {
  FakeWorld world;
  for (const char* target : {"holder", "everyone", "client:1", "server:", "server:1", "server:x", "server:0x",
                             "server:0,", "server:0,1", "server:0,0", "server:,0"}) {
    const auto more = std::string(R"(, "for_ms": 1, "target": ")") + target + "\"";
    const auto report = struck(world, fault_spec("server_pause", kAtPhase, more));
    ASSERT_EQ(report.errors.size(), 1u) << target;
    EXPECT_TRUE(contains(report.errors[0], "there is no such server")) << report.errors[0];
  }
  const auto client = struck(world, fault_spec("pause", R"("at": {"time_ms": 1})", R"(, "target": "server")"));
  ASSERT_EQ(client.errors.size(), 1u);
  EXPECT_TRUE(contains(client.errors[0], "unknown target 'server'")) << client.errors[0];
}

TEST(ServerKill, LeavesAMarkBeforeAndStartsAnotherProcessAfter) {
  FakeWorld world;
  const auto report = killed(world);
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "canary 0", "kill server 0", "release 2", "restart server 0"}));
  EXPECT_EQ(report.errors, Tellings{});
  ASSERT_EQ(report.events.size(), 2u);
  EXPECT_EQ(report.events[0].cause, "session_lost");
  EXPECT_TRUE(contains(report.events[1].detail, "acknowledged just before was kept")) << report.events[1].detail;
}

TEST(ServerKill, NonDurableServerMayLoseState) {
  FakeWorld world;
  world.durable = Durability::may_be_lost;
  world.keeps_mark = false;
  const auto report = killed(world);
  EXPECT_EQ(report.errors, Tellings{});
  ASSERT_EQ(report.events.size(), 2u);
  for (const auto& event : report.events) EXPECT_EQ(event.cause, "server_lost_state");
  EXPECT_TRUE(contains(report.events[1].detail, "acknowledged just before was lost")) << report.events[1].detail;
}

TEST(ServerKill, LossByADurableServerIsAnError) {
  FakeWorld world;
  world.keeps_mark = false;
  const auto report = killed(world);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "had acknowledged was lost")) << report.errors[0];
}

NemesisReport without_power(FakeWorld& world) {
  return struck(world, fault_spec("power_loss", kAtPhase, R"(, "target": "server", "for_ms": 40)"));
}

TEST(ServerFlush, DropsTheProofMarkToo) {
  FakeWorld world;
  const auto report = struck(world, fault_spec("server_flush", kAtPhase, R"(, "target": "server")"));
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "canary 0", "drop entries 0", "release 2"}));
  EXPECT_EQ(report.errors, Tellings{});
  EXPECT_EQ(report.events.at(0).cause, "server_lost_state");
}

TEST(ServerReadOnly, RefusesWritesAndTakesThemAgain) {
  FakeWorld world;
  const auto report = struck(world, fault_spec("server_read_only", kAtPhase, R"(, "target": "server", "for_ms": 40)"));
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "refuse writes 0", "release 2", "take writes 0"}));
  EXPECT_EQ(report.errors, Tellings{});
  EXPECT_EQ(report.events.at(0).cause, "") << "an error is no grant";
}

TEST(PowerLoss, KillsTheServerAndRestartsItOnTheKeptData) {
  FakeWorld world;
  world.durable = Durability::may_be_lost;  // for a kill, a different question
  const auto report = without_power(world);
  EXPECT_EQ(world.told(),
            (Tellings{"arrives 2", "canary 0", "kill server 0", "lose power 0", "release 2", "restart server 0"}));
  EXPECT_EQ(report.errors, Tellings{});
  ASSERT_EQ(report.events.size(), 2u);
  EXPECT_EQ(report.events[0].cause, "session_lost");
  EXPECT_TRUE(contains(report.events[0].detail, "its disk lost 4096 bytes and 2 names")) << report.events[0].detail;
  EXPECT_TRUE(contains(report.events[1].detail, "acknowledged just before was kept")) << report.events[1].detail;
}

TEST(PowerLoss, MayLoseMoreThanAKill) {
  for (const bool kept : {false, true}) {
    FakeWorld world;
    world.durable_without_power = Durability::may_be_lost;
    world.keeps_mark = kept;
    const auto report = without_power(world);
    EXPECT_EQ(report.errors, Tellings{});
    ASSERT_EQ(report.events.size(), 2u);
    for (const auto& event : report.events) EXPECT_EQ(event.cause, "server_lost_state");
    const std::string became = kept ? "was kept" : "was lost";
    EXPECT_TRUE(contains(report.events[1].detail, became)) << report.events[1].detail;
  }
}

TEST(PowerLoss, LossByASyncingServerIsAnError) {
  FakeWorld world;
  world.keeps_mark = false;
  const auto report = without_power(world);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "had acknowledged was lost")) << report.errors[0];
}

TEST(PowerLoss, IsProvedOnTheDisk) {
  const auto error_of = [](const DiskLoss& loss) {
    FakeWorld world;
    world.server_disks.loss = loss;
    const auto report = without_power(world);
    return report.errors.empty() ? "" : report.errors[0];
  };
  EXPECT_EQ(error_of({0, 0, 0, 1, true, true}), "") << "a server that syncs everything loses nothing";
  EXPECT_TRUE(contains(error_of({0, 9, 0, 1, true, false}), "kept data that was not synced"));
  EXPECT_TRUE(contains(error_of({0, 9, 0, 1, false, true}), "lost synced data"));
  EXPECT_TRUE(contains(error_of({0, 9, 0, 0, true, true}), "nothing on the disk"));
}

TEST(Failover, CutsTheReplicaOffAndPromotesItLater) {
  FakeWorld world;
  const auto report = struck(world, fault_spec("failover", kAtPhase, R"(, "for_ms": 40)"));
  EXPECT_EQ(world.told(),
            (Tellings{"arrives 2", "canary 0", "cut replication 0", "canary 0", "release 2", "promote replica 0"}));
  EXPECT_EQ(report.errors, Tellings{});
  ASSERT_EQ(report.events.size(), 2u);
  for (const auto& event : report.events) EXPECT_EQ(event.cause, "server_lost_state");
  EXPECT_TRUE(contains(report.events[1].detail, "an acknowledged canary is lost")) << report.events[1].detail;
}

TEST(Failover, AReplicaThatNeverFollowedProvesNothing) {
  FakeWorld world;
  world.follows = false;
  const auto report = struck(world, fault_spec("failover", kAtPhase, R"(, "for_ms": 40)"));
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "does not receive the data that the server acknowledges")) << report.errors[0];
}

TEST(Failover, OldPrimaryAtTheAddressIsNotAPromotion) {
  FakeWorld world;
  world.loses_mark = false;
  const auto report = struck(world, fault_spec("failover", kAtPhase, R"(, "for_ms": 40)"));
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "no evidence that it healed")) << report.errors[0];
}

NemesisReport cut_off(FakeWorld& world) {
  world.servers_there = 3;
  return struck(world, fault_spec("server_partition", kAtPhase, R"(, "target": "server:2", "for_ms": 40)"));
}

TEST(ServerPartition, CutsAServerOffAndReconnectsIt) {
  FakeWorld world;
  const auto report = cut_off(world);
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "cut off server 2", "release 2", "let back server 2"}));
  EXPECT_EQ(report.errors, Tellings{});
  ASSERT_EQ(report.events.size(), 2u);
  for (const auto& event : report.events) EXPECT_EQ(event.cause, "server_partition");
  EXPECT_TRUE(contains(report.events[1].detail, "it saw 1 of 3 servers and did not serve")) << report.events[1].detail;
}

TEST(ServerPartition, CutsClientsOffWithTheirServer) {
  FakeWorld world;
  world.servers_there = 3;
  const std::string with = R"(, "target": "server:2", "with_clients": true, "for_ms": 40)";
  const auto report = struck(world, fault_spec("server_partition", kAtPhase, with));
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "cut off server and clients 2", "release 2", "let back server 2"}));
  ASSERT_EQ(report.events.size(), 2u);
  EXPECT_TRUE(contains(report.events[0].detail, "server and its clients cut off")) << report.events[0].detail;
}

TEST(ServerPartition, UnreunitedServersAreNotHealed) {
  FakeWorld world;
  world.comes_together = false;
  const auto report = cut_off(world);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "no evidence that it healed")) << report.errors[0];
}

TEST(ServerPartition, ACutThatDropsNothingProvesNothing) {
  FakeWorld world;
  world.deaf = true;
  const auto report = cut_off(world);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "no evidence that it took effect")) << report.errors[0];
}

// On servers that elect a leader, strikes the leader at the fault's moment.
TEST(Elected, StrikesTheLeaderOrTheFirstFollower) {
  for (const std::uint32_t leads : {0U, 1U, 2U}) {
    const std::string other = leads == 0 ? "1" : "0";
    for (const auto& [target, struck_one] :
         {std::pair{"leader", std::to_string(leads)}, std::pair{"follower", other}}) {
      FakeWorld world;
      world.servers_there = 3;
      world.leads = leads;
      const std::string rest = std::string(R"(, "target": ")") + target + R"(", "for_ms": 40)";
      EXPECT_EQ(struck(world, fault_spec("server_partition", kAtPhase, rest)).errors, Tellings{});
      EXPECT_EQ(world.told().at(1), "cut off server " + struck_one) << target << " of " << leads;
    }
  }
}

TEST(Elected, WithoutALeaderItIsAnError) {
  FakeWorld world;
  world.servers_there = 3;
  const auto report = struck(world, fault_spec("server_pause", kAtPhase, R"(, "target": "leader", "for_ms": 40)"));
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "target 'leader': the servers have no leader")) << report.errors[0];
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "release 2"})) << "who waited at the point goes on";
}

TEST(ServerDrift, IsUnavailableWhereTheClockCanOnlyBeOff) {
  const std::vector<FaultSpec> specs{fault_spec("server_drift", kAtPhase, R"(, "for_ms": 40, "percent": 100)")};
  FakeWorld can;
  EXPECT_NO_THROW(Nemesis(can, specs, {}).check_available());
  FakeWorld cannot;
  cannot.no_drift = "it can only be off";
  EXPECT_THROW(Nemesis(cannot, specs, {}).check_available(), Unavailable);
}

TEST(ServerClock, IsRestoredOrKept) {
  FakeWorld restored;
  const std::string step = R"(, "step_ms": -700, "for_ms": 40)";
  EXPECT_EQ(struck(restored, fault_spec("server_clock", kAtPhase, step)).errors, Tellings{});
  EXPECT_EQ(restored.told(), (Tellings{"arrives 2", "server clock -700000000 0", "release 2", "server clock 0 0"}));
  FakeWorld kept;
  EXPECT_EQ(struck(kept, fault_spec("server_clock", kAtPhase, step + R"(, "heal": "keep")")).errors, Tellings{});
  EXPECT_EQ(kept.told(), (Tellings{"arrives 2", "server clock -700000000 0", "release 2"}));
}

TEST(ServerClock, ImpreciseReadingProvesNothing) {
  FakeWorld world;
  world.clock_within_ns = 4'000'000'000;
  for (const char* fault : {"server_clock", "server_drift"}) {
    const auto report = struck(
        world,
        fault_spec(fault, kAtPhase,
                   R"(, "for_ms": 40, )" +
                       std::string(fault == std::string("server_clock") ? R"("step_ms": 700)" : R"("percent": 50)")));
    ASSERT_EQ(report.errors.size(), 1u) << fault;
    EXPECT_TRUE(contains(report.errors[0], "no evidence that it took effect"));
  }
}

TEST(ServerClock, MissingStepIsRefused) {
  const auto refused = [](const char* fault, const char* more) {
    return refusal([&] { make_fault(fault_spec(fault, kAtPhase, more)); });
  };
  EXPECT_TRUE(contains(refused("server_clock", R"(, "step_ms": 0)"), "must not be 0"));
  EXPECT_TRUE(contains(refused("server_drift", R"(, "percent": 0)"), "must not be 0"));
  EXPECT_TRUE(contains(refused("server_clock", R"(, "step_ms": 9, "heal": "kep")"), "did you mean 'keep'?"));
}

}  // namespace
}  // namespace holdfast
