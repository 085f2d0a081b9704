// Every fault of the catalogue, in a world that obeys, one that does not, and one that cannot be healed.
#include <gtest/gtest.h>

#include <algorithm>

#include "artifact/error.hpp"
#include "nemesis/nemesis.hpp"
#include "tests/nemesis/fake_world.hpp"
#include "tests/nemesis/fault_specs.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

// The fault with a number for every setting that it says it misses.
FaultSpec smallest_spec(const std::string& name, std::string more = R"(, "for_ms": 1)") {
  for (int settings = 0; settings < 10; ++settings) {
    const FaultSpec spec = fault_spec(name, kAtReply, more);
    const std::string why = refusal([&] { make_fault(spec); });
    const auto end = why.find("' is missing");
    if (end == std::string::npos) return spec;
    const auto begin = why.rfind('\'', end - 1) + 1;
    more += ", \"" + why.substr(begin, end - begin) + "\": 50";
  }
  return fault_spec(name, kAtReply);
}

class Faults : public testing::TestWithParam<std::string> {
 protected:
  NemesisReport carried_out(FakeWorld& world, Sabotage sabotage = {}) {
    const std::vector<FaultSpec> specs{smallest_spec(GetParam())};
    Nemesis nemesis(world, specs, sabotage);
    nemesis.start();
    return nemesis.finish();
  }
  bool lasts() const { return make_fault(smallest_spec(GetParam()))->lasts(); }
};

TEST_P(Faults, AreDescribedAndCanBeMade) {
  const FaultType& type = *find_entry(faults(), GetParam());
  EXPECT_STRNE(type.about, "");
  EXPECT_NE(type.cause, nullptr);
  EXPECT_EQ(refusal([&] { make_fault(smallest_spec(GetParam())); }), "accepted");
}

TEST_P(Faults, RefuseSettingsThatTheyDoNotHave) {
  const std::string why = refusal([&] { make_fault(smallest_spec(GetParam(), R"(, "no_such_setting": 1)")); });
  EXPECT_TRUE(contains(why, "x.json:1: faults[0].no_such_setting: unknown key 'no_such_setting'")) << why;
}

TEST_P(Faults, ActAndHeal) {
  FakeWorld world;
  const auto report = carried_out(world);
  EXPECT_EQ(report.errors, std::vector<std::string>{});
  ASSERT_EQ(report.events.size(), 2u);
  EXPECT_NE(report.events[0].detail, "");
  EXPECT_NE(report.events[1].detail, "");
  const bool of_server = strikes_servers(smallest_spec(GetParam()));
  EXPECT_EQ(report.events[0].clients, of_server ? Victims{} : Victims{2});
}

TEST_P(Faults, UnprovedFaultIsAnError) {
  FakeWorld world;
  world.deaf = true;
  const auto report = carried_out(world);
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "no evidence that it took effect"));
  EXPECT_TRUE(report.events.empty());
}

TEST_P(Faults, UnprovedHealIsAnError) {
  FakeWorld world;
  world.deaf_later = true;
  const auto report = carried_out(world);
  if (!lasts()) {  // a moment: there is nothing to heal
    EXPECT_EQ(report.errors, std::vector<std::string>{});
    return;
  }
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "no evidence that it healed"));
}

TEST_P(Faults, SkippedStepIsAnError) {
  FakeWorld no_act;
  EXPECT_EQ(carried_out(no_act, {true, false}).errors.size(), 1u);
  if (!lasts()) return;
  FakeWorld no_heal;
  EXPECT_EQ(carried_out(no_heal, {false, true}).errors.size(), 1u);
}

// It is ended from outside, a moment after it was proved to be in force.
TEST_P(Faults, FaultThatDoesNotLastIsAnError) {
  FakeWorld world;
  const auto report = carried_out(world, {false, false, false, true});
  if (!lasts()) {
    EXPECT_EQ(report.errors, std::vector<std::string>{});
    return;
  }
  ASSERT_GE(report.errors.size(), 1u);
  EXPECT_TRUE(contains(report.errors[0], "fault " + GetParam() + ": it did not last: it was in force for 0."))
      << report.errors[0];
}

TEST_P(Faults, LastingFaultIsAccepted) {
  FakeWorld world;
  const std::vector<FaultSpec> specs{smallest_spec(GetParam(), R"(, "for_ms": 9000)")};
  Nemesis nemesis(world, specs, {});
  nemesis.start();
  EXPECT_EQ(nemesis.finish().errors, std::vector<std::string>{});
}

// Whatever a fault had done when it failed is undone, and the error names it.
TEST_P(Faults, FailureInMidRunIsAnErrorAndHealed) {
  FakeWorld world;
  const auto report = carried_out(world, {false, false, true});
  ASSERT_EQ(report.errors.size(), 1u);
  EXPECT_EQ(report.errors[0], "fault " + GetParam() + ": it failed half-way");
  EXPECT_TRUE(report.events.empty());
  const auto told = world.told();
  EXPECT_EQ(std::count(told.begin(), told.end(), "release 2"), 1) << "the stopped client goes on";
  if (lasts()) {
    EXPECT_NE(told.back(), "release 2") << "healed";
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Faults, testing::ValuesIn(entry_names(faults())),
                         [](const auto& at) { return at.param; });

std::string told_at_the_end(FakeWorld& world, const FaultSpec& spec) {
  const std::vector<FaultSpec> specs{spec};
  Nemesis nemesis(world, specs, {});
  nemesis.start();
  const auto report = nemesis.finish();
  return report.events.empty() ? "" : report.events.back().detail;
}

// Data sent while packets vanish is late, not lost.
TEST(Partition, ReportsRetransmittedBytes) {
  FakeWorld both;
  EXPECT_TRUE(contains(told_at_the_end(both, fault_spec("partition", kAtPhase, R"(, "for_ms": 40)")),
                       "; 3 packets dropped, 42 bytes of the client retransmitted"));
  FakeWorld replies;
  const auto one_way = fault_spec("partition", kAtPhase, R"(, "for_ms": 40, "lose": "replies")");
  EXPECT_TRUE(told_at_the_end(replies, one_way).ends_with("; 3 packets dropped"));
}

TEST(Kill, LastsUntilTheReplacementAsks) {
  FakeWorld world;
  const auto spec = fault_spec("kill", kAtPhase, R"(, "for_ms": 40)");
  EXPECT_TRUE(told_at_the_end(world, spec).ends_with("; its replacement requests the lock"));
  EXPECT_EQ(world.told(), (std::vector<std::string>{"arrives 2", "kill 2", "prepare 2", "release 2", "begin 5"}))
      << "it starts at once, and waits";
}

TEST(Kill, ReportsAReplacementThatNeverAsks) {
  FakeWorld world;
  world.replacements_ask = false;
  const std::string told = told_at_the_end(world, fault_spec("kill", kAtPhase, R"(, "for_ms": 40)"));
  EXPECT_TRUE(told.ends_with("; its replacement has not requested the lock")) << told;
  EXPECT_TRUE(contains(told, "killed, gone for 3.")) << told;
}

TEST(MakeFault, UnknownFaultsAreRefusedWithASuggestion) {
  const std::string why = refusal([] { make_fault(fault_spec("puase", kAtPhase)); });
  EXPECT_TRUE(contains(why, "x.json:1: faults[0]: unknown fault 'puase' (did you mean 'pause'?)")) << why;
}

TEST(MakeFault, ChecksSettings) {
  const auto fault_refusal = [](const std::string& fault, const std::string& more) {
    return refusal([&] { make_fault(fault_spec(fault, kAtPhase, more)); });
  };
  EXPECT_TRUE(contains(fault_refusal("client_skew", ""), "faults[0]: 'step_ms' is missing"));
  EXPECT_TRUE(contains(fault_refusal("client_skew", R"(, "step_ms": 0)"), "faults[0].step_ms: must not be 0"));
  EXPECT_TRUE(contains(fault_refusal("client_skew", R"(, "step_ms": "x")"), "faults[0].step_ms: expected an integer"));
  EXPECT_TRUE(contains(fault_refusal("partition", R"(, "lose": "bth")"), "did you mean 'both'?"));
  EXPECT_TRUE(contains(fault_refusal("partition", R"(, "lose": "requests")"), "TCP resends them; remedy: "));
  EXPECT_TRUE(contains(fault_refusal("partition", R"(, "percent": 0)"), "must be from 1 to 100"));
  EXPECT_TRUE(contains(fault_refusal("clock_drift", R"(, "percent": 0)"), "must not be 0"));
  EXPECT_EQ(fault_refusal("partition", R"(, "lose": "replies", "cut": "all", "percent": 30)"), "accepted");
}

// Two faults on one client: the clock of a killed client is not read, and cannot mislead any.
TEST(ClientSkew, EndsWhenItsClientIsKilled) {
  FakeWorld world;
  const Victims victim{2};
  const auto fault = make_fault(fault_spec("client_skew", kAtPhase, R"(, "step_ms": 9)"));
  fault->act(world, victim);
  ASSERT_TRUE(fault->acted(world, victim));
  world.deaf = true;
  fault->heal(world, victim);
  EXPECT_FALSE(fault->healed(world, victim)) << "it lives, and its clock is wrong";
  world.deaf = false;
  world.processes.kill(2);
  EXPECT_EQ(fault->healed(world, victim), "its client no longer exists");
}

// If the kernel cannot do it, the trial is unavailable, never a pass.
TEST(CheckAvailable, AsksEachFault) {
  FakeWorld world;
  const std::vector<FaultSpec> specs{fault_spec("pause", kAtPhase),
                                     fault_spec("delay", kAtPhase, R"(, "delay_ms": 9)")};
  Nemesis nemesis(world, specs, {});
  EXPECT_NO_THROW(nemesis.check_available());
  world.deaf = true;
  EXPECT_THROW(nemesis.check_available(), Unavailable);
}

TEST(CheckAvailable, PacketDropsNeedFirewallRules) {
  for (const char* fault : {"partition", "server_partition", "failover"}) {
    FakeWorld world;
    const std::vector<FaultSpec> specs{fault_spec(fault, kAtPhase)};
    Nemesis nemesis(world, specs, {});
    EXPECT_NO_THROW(nemesis.check_available()) << fault;
    EXPECT_EQ(world.told().back(), "let through 0") << fault;
    world.breaks = "cut";
    EXPECT_THROW(nemesis.check_available(), Unavailable) << fault;
  }
}

}  // namespace
}  // namespace holdfast
