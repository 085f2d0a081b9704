// Scenarios: what they say is what is read, and every mistake is named with file, line and key path.
#include "artifact/scenario.hpp"

#include <gtest/gtest.h>

#include "tests/artifact/scenario_text.hpp"

namespace holdfast {
namespace {

std::string with_fault(const std::string& fault) {
  return with("\"faults\": [\n" + fault + "]");
}

TEST(Scenario, DefaultsAndNames) {
  const Scenario s = loaded(with(""));
  EXPECT_EQ(s.name, "col");
  EXPECT_EQ(s.suite, "suite_a");
  EXPECT_EQ(s.load.clients, 5);
  EXPECT_EQ(s.load.lease_ms, 2000);
  EXPECT_EQ(s.minima.grants, 20);
  EXPECT_TRUE(s.faults.empty());
}

TEST(Scenario, ReadsEveryKey) {
  const Scenario s = loaded(with(
      R"("clients": 3, "keys": 2, "lease_ms": 1500, "hold_ms": 70, "pause_ms": [1, 2], "poll_ms": 9,
         "poll_aligned": true, "duration_ms": 4000, "progress_bound_ms": 700, "silence_ms": 5, "shared_addresses": 2,
         "after_info": "retry", "coverage": {"grants": 4, "attempts_in_hold": 0}, "about": "x",
         "faults": [{"fault": "pause", "target": "client:1", "for_ms": 8, "extra": 1,
                     "at": {"statement": "insert", "when": "after", "client": 2, "nth": 3}}])"));
  EXPECT_EQ(s.load.hold_ms.least, 70);
  EXPECT_EQ(s.load.hold_ms.most, 70);
  EXPECT_EQ(s.load.pause_ms.most, 2);
  EXPECT_TRUE(s.load.poll_aligned);
  EXPECT_EQ(s.load.shared_addresses, 2);
  EXPECT_EQ(s.load.after_info, "retry");
  EXPECT_EQ(s.minima.grants, 4);
  const FaultSpec& fault = s.faults.at(0);
  EXPECT_EQ(fault.target, "client:1");
  EXPECT_EQ(fault.for_ms, 8);
  EXPECT_EQ(fault.at.statement, "insert");
  EXPECT_TRUE(fault.at.after);
  EXPECT_EQ(fault.at.client, 2);
  EXPECT_EQ(fault.at.nth, 3);
  EXPECT_NE(fault.settings.find("extra"), nullptr) << "a fault's own keys are left to the fault";
}

TEST(Scenario, SessionsGetTheirZoneAndIsolationInTurn) {
  using Words = std::vector<std::string>;
  const Load plain = loaded(with("")).load;
  EXPECT_EQ(plain.time_zone, Words{"+00:00"});
  EXPECT_TRUE(plain.isolation.empty()) << "the lock's own";
  EXPECT_EQ(plain.program_zone, Words{"+00:00"});
  EXPECT_EQ(plain.reads, Words{"primary"});
  EXPECT_EQ(loaded(with(R"("reads": ["primary", "replica"])")).load.reads, (Words{"primary", "replica"}));
  const Scenario s = loaded(with(R"("time_zone": ["+00:00", "-12:59", "+13:00"], "isolation": "serializable",
                                   "per_lock": {"a": {"isolation": ["read_committed", "repeatable_read"]}})"));
  EXPECT_EQ(s.load.time_zone, (Words{"+00:00", "-12:59", "+13:00"}));
  EXPECT_EQ(s.settings_of("b").load.isolation, Words{"serializable"});
  EXPECT_EQ(s.settings_of("a").load.isolation, (Words{"read_committed", "repeatable_read"}));
  EXPECT_EQ(s.settings_of("a").load.time_zone.size(), 3u);
}

TEST(Scenario, ProgramsReadTheirClocksInZonesOfTheirOwn) {
  const Load load = loaded(with(R"("program_zone": ["+00:00", "-05:30", "+13:00"])")).load;
  EXPECT_EQ(zone_s_of(load, 0), 0);
  EXPECT_EQ(zone_s_of(load, 1), -(5 * 3600 + 30 * 60));
  EXPECT_EQ(zone_s_of(load, 2), 13 * 3600);
  EXPECT_EQ(zone_s_of(load, 3), 0) << "and from the first again";
  EXPECT_EQ(loaded(with(R"("tick_ms": 300)")).load.tick_ms, 300);
}

TEST(Scenario, ClientsGetTheirServerInTurn) {
  const auto served = [](std::uint32_t servers, const std::string& more) {
    const Load load = loaded(with(more)).load;
    std::vector<std::uint32_t> out;
    for (std::uint32_t c = 0; c < 5; ++c) out.push_back(server_of_client(servers, load, c));
    return out;
  };
  using Servers = std::vector<std::uint32_t>;
  EXPECT_EQ(served(3, ""), (Servers{0, 1, 2, 0, 1}));
  EXPECT_EQ(served(1, ""), (Servers{0, 0, 0, 0, 0}));
  EXPECT_EQ(served(3, R"("connects": "server:1")"), (Servers{1, 1, 1, 1, 1}));
  EXPECT_EQ(served(3, R"("connects": ["server:2", "in_turn"])"), (Servers{2, 1, 2, 0, 2}));
}

TEST(Scenario, NamesFileLineAndPathOfEveryMistake) {
  const std::pair<std::string, std::string> mistakes[] = {
      {with("\"clients\": 0"), "col.json:2: clients: must be from 1 to 500"},
      {with("\"keys\": 65"), "col.json:2: keys: must be from 1 to 64"},
      {with("\"lease_ms\": \"2s\""), "col.json:2: lease_ms: expected an integer, found a string"},
      {with("\"hold_ms\": [9, 3]"), "col.json:2: hold_ms: must be 0 or more, least first, at most one day"},
      {with("\"hold_ms\": [1, 2, 3]"), "col.json:2: hold_ms: expected an integer or [least, most]"},
      {with("\"pause_ms\": -1"), "col.json:2: pause_ms: must be 0 or more"},
      {with("\"shared_addresses\": 6"), "col.json:2: shared_addresses: must be from 0 to 5"},
      {with("\"after_info\": \"abandn\""),
       "col.json:2: after_info: unknown after_info 'abandn' (did you mean 'abandon'"},
      {with("\"time_zone\": \"Asia/Shanghai\""), "col.json:2: time_zone: expected hours and minutes, as \"+08:00\""},
      {with("\"time_zone\": [\"+00:00\",\n8]"), "col.json:3: time_zone[1]: expected a string, or an array of strings"},
      {with("\"isolation\": []"), "col.json:2: isolation: give 1 to 200 values"},
      {with("\"isolation\": \"read_commited\""),
       "col.json:2: isolation: unknown isolation 'read_commited' (did you mean 'read_committed'?)"},
      {with("\"reads\": \"replca\""), "col.json:2: reads: unknown reads 'replca' (did you mean 'replica'?)"},
      {with("\"connects\": \"server:3\""), "col.json:2: connects: unknown connects 'server:3'"},
      {with("\"lease_mss\": 1"), "col.json:2: lease_mss: unknown key 'lease_mss' (did you mean 'lease_ms'?)"},
      {with("\"coverage\": {\"grant\": 1}"),
       "col.json:2: coverage.grant: unknown key 'grant' (did you mean 'grants'?)"},
      {with("\"faults\": {}"), "col.json:2: faults: expected an array of faults"},
      {with_fault("7"), "col.json:3: faults[0]: expected an object, found an integer"},
      {with_fault(R"({"at": {"time_ms": 0}})"), "col.json:3: faults[0]: 'fault' is missing"},
      {with_fault(R"({"fault": "pause"})"), "col.json:3: faults[0]: 'at' is missing: a fault needs an injection point"},
      {with_fault(R"({"fault": "pause", "at": {}})"), "col.json:3: faults[0].at: name exactly one of"},
      {with_fault(R"({"fault": "pause", "at": {"time_ms": 1, "phase": "granted"}})"),
       "col.json:3: faults[0].at: name exactly one of"},
      {with_fault(R"({"fault": "pause", "at": {"phase": "granted", "nht": 2}})"),
       "col.json:3: faults[0].at.nht: unknown key 'nht' (did you mean 'nth'?)"},
      {"{\"expect\": {}}", "col.json:1: 'locks' is missing"},
      {"{\"locks\": [], \"expect\": {}}", "col.json:1: locks: name at least one lock"},
      {"{\"locks\": [\"a\",\n\"a\"], \"expect\": {}}", "col.json:2: locks[1]: duplicate 'a'"},
  };
  for (const auto& [text, why] : mistakes) EXPECT_EQ(scenario_refusal(text).substr(0, why.size()), why) << text;
}

TEST(Scenario, ReadsServerSettings) {
  EXPECT_TRUE(loaded(with("")).server.own.empty());
  const Scenario set = loaded(with(R"("server": {"innodb_flush_log_at_trx_commit": 0})"));
  ASSERT_EQ(set.server.own.size(), 1U);
  EXPECT_EQ(set.server.own.front().value.integer, 0);
  EXPECT_EQ(scenario_refusal(with(R"("server": 3)")), "col.json:2: server: expected an object");
}

TEST(Scenario, ExpectationsAreStatedAndChecked) {
  const auto expect = [](const std::string& value) { return with("", "\"expect\": " + value); };
  EXPECT_EQ(scenario_refusal(expect(R"({"*": {"fencing": "not_exercised"}, "a": {}})")), "accepted");
  const std::pair<std::string, std::string> mistakes[] = {
      {"{\"locks\": [\"a\"]}", "col.json:1: 'expect' is missing"},
      {expect("[]"), "col.json:2: expect: expected an object, found an array"},
      {expect("{\"c\": {}}"), "col.json:2: expect.c: unknown lock of this scenario 'c'"},
      {expect("{\"a\": 1}"), "col.json:2: expect.a: expected an object"},
      {expect("{\"a\": {\"fencin\": \"holds\"}}"),
       "col.json:2: expect.a.fencin: unknown property 'fencin' (did you mean"},
      {expect("{\"a\": {\"fencing\": 1}}"), "col.json:2: expect.a.fencing: expected a string"},
      {expect("{\"a\": {\"fencing\": \"hold\"}}"),
       "col.json:2: expect.a.fencing: unknown verdict 'hold' (did you mean 'h"},
      {expect("{\"a\": {\"fencing\": \"holds:x\"}}"),
       "col.json:2: expect.a.fencing: only 'violated' and 'allowed' have kinds"},
  };
  for (const auto& [text, why] : mistakes) EXPECT_EQ(scenario_refusal(text).substr(0, why.size()), why) << text;
}

TEST(Scenario, EveryExpectedViolationHasAReason) {
  const std::string expect = R"("expect": {"a": {"resource": "violated:overrun"}})";
  EXPECT_TRUE(contains(scenario_refusal(with("", expect)), "'why' is missing for 'a'"));
  EXPECT_TRUE(contains(scenario_refusal(with("\"why\": {\"b\": \"x\"}", expect)), "'why' is missing for 'a'"));
  EXPECT_EQ(scenario_refusal(with("\"why\": {\"*\": \"x\"}", expect)), "accepted");
  EXPECT_EQ(scenario_refusal(with("\"why\": {\"a\": \"x\"}", expect)), "accepted");
  EXPECT_TRUE(contains(scenario_refusal(with("\"why\": [\"x\"]")), "col.json:2: why: expected an object"));
  EXPECT_TRUE(contains(scenario_refusal(with("\"why\": {\"c\": \"x\"}")),
                       "col.json:2: why.c: unknown lock of this scenario 'c'"));
}

TEST(Suite, LoadsEveryScenarioOfAFolderByName) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(refusal([&] { load_suite(folder.path()); }), "no scenario (*.json) in this folder"));
  for (const char* name : {"b.json", "a.json", "notes.txt"}) folder.write(name, with(""));
  const auto suite = load_suite(folder.path());
  ASSERT_EQ(suite.size(), 2u);
  EXPECT_EQ(suite[0].name, "a");
  EXPECT_EQ(suite[1].name, "b");
  EXPECT_EQ(load_suite(folder.file("b.json")).size(), 1u);
  EXPECT_TRUE(contains(refusal([&] { load_suite(folder.file("c.json")); }), "cannot be read"));
}

}  // namespace
}  // namespace holdfast
