// The nemesis: what it does in which order, and that whatever was not proved is an error.
#include "nemesis/nemesis.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "tests/nemesis/carried_out.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

TEST(Nemesis, ActsProvesWaitsHealsAndReports) {
  FakeWorld world;
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "for_ms": 40)")});
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "stop 2", "release 2", "go on 2"}));
  EXPECT_EQ(report.errors, Tellings{});
  ASSERT_EQ(report.events.size(), 2u);
  EXPECT_EQ(report.events[0].step, FaultStep::begin);
  EXPECT_EQ(report.events[1].step, FaultStep::end);
  for (const auto& event : report.events) {
    EXPECT_EQ(event.actor, Actor::nemesis);
    EXPECT_EQ(event.fault, "pause");
    EXPECT_EQ(event.clients, Victims{2});
  }
  EXPECT_GE(report.events[1].time_ns - report.events[0].time_ns, 40'000'000);
}

TEST(Nemesis, PointsAreArmedWhenTheLoadMayBegin) {
  FakeWorld world;
  const auto at_phase = fault_spec("pause", kAtPhase, R"(, "for_ms": 40)");
  const std::vector<FaultSpec> specs{
      at_phase, fault_spec("pause", R"("at": {"time_ms": 1})", R"(, "for_ms": 40, "target": "client:0")"),
      fault_spec("client_skew", kAtPhase, R"(, "for_ms": 40, "step_ms": 5)")};
  Nemesis nemesis(world, specs, {});
  nemesis.start();
  EXPECT_EQ(world.points_part.armed(), (std::set<std::size_t>{0, 2})) << "the first statement may be the moment";
  while (!nemesis.all_healed()) std::this_thread::yield();
  EXPECT_EQ(nemesis.finish().errors, Tellings{});
}

TEST(Nemesis, UnprovedActIsAnErrorWithoutEvent) {
  FakeWorld world;
  world.deaf = true;
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "for_ms": 40)")});
  EXPECT_EQ(only_error(report), "fault pause: no evidence that it took effect");
  EXPECT_TRUE(report.events.empty());
  EXPECT_EQ(world.told().back(), "go on 2") << "healed all the same: it may have acted unseen";
}

// The second request is sent once the first is answered. If a server keeps that waiting, there is no second.
TEST(Nemesis, BlockingCopyIsGivenUp) {
  constexpr const char* kAtRequest = R"("at": {"request": 1, "of": "acquire"})";
  for (const bool optional : {false, true}) {
    FakeWorld world;
    world.deaf = true;
    const auto report =
        carried_out(world, {fault_spec("duplicate", kAtRequest, optional ? R"(, "optional": true)" : "")});
    EXPECT_TRUE(report.events.empty());
    EXPECT_EQ(world.told().back(), "give up 2");
    EXPECT_EQ(report.errors.empty(), optional) << "else it is as one whose moment did not come";
    const std::string error = optional ? "" : only_error(report);
    EXPECT_EQ(contains(error, "its request had no answer in time, and was sent only once"), !optional);
  }
}

TEST(Nemesis, HalfFailedActIsAnErrorAndHealed) {
  FakeWorld world;
  world.breaks = "stop 1";
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "for_ms": 40, "target": "everyone")")});
  EXPECT_EQ(only_error(report), "fault pause: the world broke");
  EXPECT_TRUE(report.events.empty());
  EXPECT_EQ(world.told(), (Tellings{"arrives 2", "stop 0", "stop 1", "release 2", "go on 0", "go on 1", "go on 2",
                                    "go on 3", "go on 4"}));
}

TEST(Nemesis, ImpossibleActIsUnavailableAndHealed) {
  FakeWorld world;
  world.breaks = "stop 1";
  world.cannot_here = true;
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "for_ms": 40, "target": "client:1")")});
  EXPECT_EQ(report.errors, Tellings{});
  EXPECT_EQ(report.unavailable, "fault pause: the world cannot");
  EXPECT_TRUE(report.events.empty());
  EXPECT_EQ(world.told().back(), "go on 1");
}

TEST(Nemesis, FailedHealIsAnError) {
  FakeWorld world;
  world.breaks = "go on";
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "for_ms": 40)")});
  EXPECT_EQ(only_error(report), "fault pause: the world broke");
}

TEST(Nemesis, UnprovedHealIsAnError) {
  FakeWorld world;
  world.deaf_later = true;
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "for_ms": 40)")});
  EXPECT_EQ(only_error(report), "fault pause: no evidence that it healed");
  EXPECT_EQ(report.events.size(), 2u) << "it was in force, and the history says so";
}

TEST(Nemesis, TimesCountFromTheLoad) {
  FakeWorld world;
  world.load_began_ns = -1;
  const std::vector<FaultSpec> specs{
      fault_spec("pause", R"("at": {"time_ms": 5})", R"(, "for_ms": 40, "target": "client:1")")};
  Nemesis nemesis(world, specs, {});
  nemesis.start();
  world.time().wait_ms(100);
  EXPECT_EQ(world.told(), Tellings{});
  const std::int64_t began_ns = world.time().now_ns();
  world.load_began_ns = began_ns;
  while (!nemesis.all_healed()) std::this_thread::yield();
  const auto report = nemesis.finish();
  EXPECT_EQ(report.errors, Tellings{});
  EXPECT_GE(report.events.at(0).time_ns, began_ns + 5'000'000);
}

constexpr const char* kNeverCame =
    "fault pause: the injection point was never reached; remedy: choose another `at`, or a longer duration_ms";

TEST(Nemesis, UnreachedMomentIsAnError) {
  FakeWorld world;
  world.arrives.reset();
  EXPECT_EQ(only_error(carried_out(world, {fault_spec("pause", kAtPhase)})), kNeverCame);
  EXPECT_EQ(world.told(), Tellings{});
  FakeWorld nobody_holds;
  nobody_holds.closed = true;
  EXPECT_EQ(only_error(carried_out(nobody_holds, {fault_spec("pause", R"("at": {"time_ms": 1})")})), kNeverCame);
}

// A known reason for a missing arrival is reported; an unobservable moment is not an error of the harness.
TEST(Nemesis, UnobservableMomentIsUnavailable) {
  FakeWorld world;
  world.arrives.reset();
  world.why_absent = {"its request came, but the server was gone", false};
  EXPECT_EQ(only_error(carried_out(world, {fault_spec("pause", kAtPhase)})),
            "fault pause: its request came, but the server was gone");
  world.why_absent = {"the connection is encrypted", true};
  for (const char* more : {"", R"(, "optional": true)"}) {
    const auto report = carried_out(world, {fault_spec("pause", kAtPhase, more)});
    EXPECT_EQ(report.errors, Tellings{});
    EXPECT_EQ(report.unavailable, "fault pause: the connection is encrypted");
    EXPECT_TRUE(report.events.empty());
  }
  world.arrives = 2;
  world.arrives_at_end.reset();
  const auto report = carried_out(world, {fault_spec("pause", kAtPhase, R"(, "until": {"phase": "granted"})")});
  EXPECT_EQ(report.errors, Tellings{});
  EXPECT_EQ(report.unavailable, "fault pause: the connection is encrypted") << "nor does it end where nobody is seen";
}

TEST(Nemesis, FaultsOfTimeZeroAreInForceBeforeTheLoad) {
  FakeWorld world;
  world.deaf = true;  // from now on it will not be seen in force
  const std::vector<FaultSpec> specs{
      fault_spec("client_skew", R"("at": {"time_ms": 0})", R"(, "target": "client:1", "step_ms": -5, "for_ms": 9)"),
      fault_spec("pause", kAtPhase, R"(, "for_ms": 1)")};
  Nemesis nemesis(world, specs, {});
  EXPECT_TRUE(nemesis.early_acted()) << "nothing was started";
  nemesis.start();
  EXPECT_FALSE(nemesis.early_acted());
  while (!nemesis.early_acted()) std::this_thread::yield();  // it gave up: the load begins, and the trial is an error
  world.closed = true;
  EXPECT_EQ(nemesis.finish().errors.size(), 2u);
}

TEST(Nemesis, EventsNameTheFaultsCause) {
  FakeWorld world;
  const auto report = carried_out(world, {fault_spec("client_skew", R"("at": {"time_ms": 0})",
                                                     R"(, "target": "client:1", "step_ms": -5, "for_ms": 9)")});
  ASSERT_EQ(report.events.size(), 2u);
  EXPECT_EQ(report.events[0].cause, "client_skew");
  EXPECT_EQ(world.told(), (Tellings{"clock -5000000 1", "clock 0 1"}));
}

TEST(Nemesis, Targets) {
  const auto stopped = [](const std::string& at, const std::string& target) {
    FakeWorld world;
    world.holding = {3, 4};
    world.wanting = {0, 1};
    const auto report = carried_out(world, {fault_spec("pause", at, R"(, "for_ms": 1, "target": ")" + target + "\"")});
    return report.events.empty() ? Victims{99} : report.events[0].clients;
  };
  const std::string timed = R"("at": {"time_ms": 5})";
  EXPECT_EQ(stopped(timed, "holder"), Victims{3});
  EXPECT_EQ(stopped(timed, "waiter"), Victims{0});
  EXPECT_EQ(stopped(timed, "everyone"), (Victims{0, 1, 2, 3, 4}));
  EXPECT_EQ(stopped(timed, "client:4"), Victims{4});
  EXPECT_EQ(stopped(kAtPhase, "holder"), Victims{2}) << "whoever arrives there is the holder";
  EXPECT_EQ(stopped(kAtPhase, "client:4"), Victims{4});
  EXPECT_EQ(stopped(timed, "client:5"), Victims{99}) << "there are five";
  EXPECT_EQ(stopped(timed, "somebody"), Victims{99});
}

TEST(Nemesis, WaitsForTheTargetsArrivalOnly) {
  const auto waited_for = [](const std::string& fault, const std::string& more) {
    FakeWorld world;
    carried_out(world, {fault_spec(fault, kAtPhase, more)});
    return world.points_part.waited_for(0);
  };
  EXPECT_EQ(waited_for("pause", R"(, "for_ms": 1)"), "") << "whoever comes";
  EXPECT_EQ(waited_for("pause", R"(, "for_ms": 1, "target": "holder")"), "holder");
  EXPECT_EQ(waited_for("pause", R"(, "for_ms": 1, "target": "waiter")"), "waiter");
  EXPECT_EQ(waited_for("pause", R"(, "for_ms": 1, "target": "everyone")"), "");
  EXPECT_EQ(waited_for("pause", R"(, "for_ms": 1, "target": "client:1")"), "");
  EXPECT_EQ(waited_for("server_pause", R"(, "for_ms": 1, "target": "server")"), "");
}

TEST(Nemesis, SkippedStepIsAnError) {
  const std::vector<FaultSpec> specs{fault_spec("pause", kAtPhase, R"(, "for_ms": 1)")};
  FakeWorld whole;
  EXPECT_EQ(carried_out(whole, specs).errors, Tellings{});
  FakeWorld no_act;
  EXPECT_EQ(only_error(carried_out(no_act, specs, {true, false})), "fault pause: no evidence that it took effect");
  FakeWorld no_heal;
  EXPECT_EQ(only_error(carried_out(no_heal, specs, {false, true})), "fault pause: no evidence that it healed");
}

TEST(Nemesis, SeveralFaultsAtOnce) {
  FakeWorld world;
  std::vector<FaultSpec> specs;
  for (int i = 0; i < 4; ++i) {
    specs.push_back(fault_spec("pause", kAtPhase, fmt::format(R"(, "for_ms": 3, "target": "client:{}")", i)));
  }
  const auto report = carried_out(world, specs);
  EXPECT_EQ(report.events.size(), 8u);
  EXPECT_EQ(report.errors, Tellings{});
}

}  // namespace
}  // namespace holdfast
