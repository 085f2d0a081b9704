// The suite that is made for a lock: what is in it, what is left out and why, and that every lock can have one.
#include "generate/generated_suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "adapter/manifest.hpp"
#include "lock/added_locks.hpp"
#include "nemesis/fault.hpp"
#include "suite/suite.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

// A read, then a write; renewed and released by one statement each.
LockFacts two_steps() {
  LockFacts facts;
  facts.shapes = {{Situation::granted, {"acquire", "token"}, 9},
                  {Situation::refused, {"acquire"}, 9},
                  {Situation::renewed, {"renew"}, 3},
                  {Situation::released, {"release"}, 9}};
  return facts;
}

std::set<std::string> names_of(const GeneratedSuite& suite) {
  std::set<std::string> out;
  for (const auto& scenario : suite.scenarios) out.insert(scenario.name);
  return out;
}

std::string why_left_out(const GeneratedSuite& suite, const std::string& what) {
  for (const auto& one : suite.left_out) {
    if (one.what == what) return one.why;
  }
  return "";
}

const Scenario& named(const GeneratedSuite& suite, std::string_view name) {
  return *std::find_if(suite.scenarios.begin(), suite.scenarios.end(), [&](const auto& s) { return s.name == name; });
}

TEST(GeneratedSuite, EachStatementIsStruckByEachFault) {
  const GeneratedSuite suite = generate_suite("fenced_lease", two_steps());
  const auto names = names_of(suite);
  for (const char* name :
       {"pause_granted_before_acquire", "pause_granted_after_acquire", "pause_granted_after_token",
        "pause_refused_before_acquire", "pause_renewed_before_renew", "pause_released_before_release",
        "reply_lost_granted_after_acquire", "reply_lost_granted_after_token", "reply_lost_refused_after_acquire",
        "reply_lost_renewed_after_renew", "reply_lost_released_after_release", "kill_granted_after_acquire",
        "kill_granted_after_token", "cut_granted_before_acquire", "cut_granted_after_acquire",
        "cut_replies_granted_before_token", "cut_replies_released_before_release", "cut_released_before_release"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

// A user with time for only some of them sees those in which most mistakes show.
TEST(GeneratedSuite, MostDangerousScenarioIsFirst) {
  const GeneratedSuite suite = generate_suite("fenced_lease", two_steps());
  const auto place = [&suite](const std::string& name) { return &named(suite, name) - suite.scenarios.data(); };
  EXPECT_LT(place("fraction"), place("pause_granted_after_acquire"));
  EXPECT_LT(place("pause_refused_before_acquire"), place("several_keys"));
  EXPECT_LT(place("clock_ahead"), place("kill_granted_after_acquire"));
  EXPECT_LT(place("reply_lost_granted_after_acquire"), place("cut_granted_before_acquire"));
}

// Its author expects it to be used so.
TEST(GeneratedSuite, DeclaredFeaturesAreTriedFirst) {
  const auto place = [](const std::string& lock, const std::string& can, const std::string& name) {
    const Manifest manifest = read_manifest(
        R"({"name": ")" + lock + R"(", "command": ["sh"], "servers": ["redis"], "can": [)" + can + "]}", "f/lock.json");
    add_lock(manifest.name, lock_type_of(manifest));
    const GeneratedSuite suite = generate_suite(lock, {});
    return std::pair{&named(suite, name) - suite.scenarios.data(),
                     &named(suite, "pause_release") - suite.scenarios.data()};
  };
  for (const auto& [can, name] : {std::pair{"threads", "threads"}, std::pair{"reenter", "reenter"},
                                  std::pair{"renew", "long_jobs"}, std::pair{"background", "long_job_cut"},
                                  std::pair{"shared", "readers"}, std::pair{"shared", "reader_killed"}}) {
    const auto [declared, possible] = place(std::string("can_") + name, '"' + std::string(can) + '"', name);
    EXPECT_LT(declared, possible) << name;
  }
  const auto [address, possible] = place("can_nothing", "", "shared_address");
  EXPECT_GT(address, possible);
}

// The order of a run: the first scenarios, then the rest of the suite.
std::vector<std::string> first_ten(const std::string& lock, const LockFacts& facts) {
  std::vector<std::string> out;
  const auto add = [&out](const std::vector<Scenario>& scenarios) {
    for (const auto& one : scenarios) {
      if (std::find(out.begin(), out.end(), one.name) == out.end()) out.push_back(one.name);
    }
  };
  add(first_scenarios(lock));
  add(generate_suite(lock, facts).scenarios);
  out.resize(10);
  return out;
}

// They are run before there are facts, so they need none, and are those of the suite itself.
TEST(GeneratedSuite, FirstScenariosArePartOfTheSuite) {
  const GeneratedSuite suite = generate_suite("fenced_lease", two_steps());
  const auto first = first_scenarios("fenced_lease");
  ASSERT_GT(first.size(), 4U);
  EXPECT_EQ(first.front().name, kLapses);
  for (auto one = first.begin() + 1; one != first.end(); ++one) {
    EXPECT_EQ(names_of(suite).count(one->name), 1U) << one->name;
  }
}

// Before any trial: what will surely be there, and what may be; nothing that comes is in neither.
TEST(GeneratedSuite, MatchesTheForeseenSuite) {
  const ForeseenSuite foreseen = foresee_suite("fenced_lease");
  const auto sure = names_of({foreseen.sure, {}});
  const auto possible = names_of({foreseen.possible, {}});
  EXPECT_EQ(foreseen.sure.front().name, kLapses);
  EXPECT_EQ(sure.count("crowd"), 1U);
  EXPECT_EQ(possible.count("pause_granted_after_token"), 1U);
  for (const auto& name : sure) EXPECT_EQ(possible.count(name), 0U) << name;
  const auto least = names_of(generate_suite("fenced_lease", {}));
  for (const auto& name : sure) EXPECT_TRUE(name == kLapses || least.count(name) == 1) << name;
  for (const auto& name : names_of(generate_suite("fenced_lease", two_steps()))) {
    EXPECT_EQ(sure.count(name) + possible.count(name), 1U) << name;
  }
}

TEST(GeneratedSuite, EveryLocksSuiteCanBeForeseen) {
  for (const auto& [lock, type] : locks()) {
    SuiteOptions options;
    const ForeseenSuite foreseen = foresee_suite(lock);
    options.scenarios = foreseen.sure;
    options.scenarios.insert(options.scenarios.end(), foreseen.possible.begin(), foreseen.possible.end());
    EXPECT_EQ(refusal([&options] { plan_cells(options); }), "accepted") << lock;
    for (const auto& scenario : foreseen.possible) {
      const InjectionPoint& at = scenario.faults.front().at;
      EXPECT_EQ(at.statement.empty(), type->manifest != nullptr)
          << lock << ": an adapter's statements have numbers, no names: " << scenario.name;
    }
    EXPECT_FALSE(foreseen.possible.empty() && type->manifest == nullptr) << lock;
  }
}

// Scenarios without a statement between their points cannot differ: they are reported, not run.
TEST(GeneratedSuite, EquivalentScenariosAreLeftOutWithAReason) {
  const GeneratedSuite suite = generate_suite("fenced_lease", two_steps());
  EXPECT_EQ(names_of(suite).count("pause_granted_before_token"), 0U) << "like after acquire";
  EXPECT_NE(why_left_out(suite, "kill_granted_before_acquire"), "");
  EXPECT_NE(why_left_out(suite, "pause_released_after_release"), "");
  EXPECT_NE(why_left_out(suite, "reenter"), "") << "fenced_lease does not promise it";
  EXPECT_NE(why_left_out(suite, "faults of the server"), "");
}

TEST(GeneratedSuite, InjectionPointNamesOperationAndKeyState) {
  const GeneratedSuite suite = generate_suite("fenced_lease", two_steps());
  const InjectionPoint granted = named(suite, "pause_granted_after_acquire").faults.at(0).at;
  EXPECT_EQ(granted.of, "acquire");
  EXPECT_EQ(granted.key, "free");
  EXPECT_TRUE(granted.after);
  const InjectionPoint refused = named(suite, "pause_refused_before_acquire").faults.at(0).at;
  EXPECT_EQ(refused.key, "held");
  EXPECT_EQ(named(suite, "pause_renewed_before_renew").faults.at(0).at.of, "renew");
}

// A sleeper that does not look overruns under any lease; with a token the data must be safe all the same.
TEST(GeneratedSuite, AllowsOnlyViolationsThatNoLeasePrevents) {
  const GeneratedSuite fenced = generate_suite("fenced_lease", two_steps());
  const auto of_fenced = named(fenced, "pause_critical_section").expected_of("fenced_lease");
  EXPECT_EQ(of_fenced.at("mutual_exclusion"), "allowed:overrun,late_grant");
  EXPECT_EQ(of_fenced.at("resource"), "allowed");
  const GeneratedSuite plain = generate_suite("insert_lease", two_steps());
  EXPECT_EQ(named(plain, "pause_critical_section").expected_of("insert_lease").at("resource"),
            "allowed:overrun,late_grant");
  EXPECT_EQ(named(plain, "none").expected_of("insert_lease").count("mutual_exclusion"), 0U) << "it must hold";
  const GeneratedSuite session = generate_suite("get_lock", two_steps());
  EXPECT_EQ(named(session, "pause_critical_section").expected_of("get_lock").at("mutual_exclusion"), "allowed")
      << "no violation, but nobody else need be granted it meanwhile";
}

TEST(GeneratedSuite, SettingsThatTheLockDoesNotHaveAreLeftOut) {
  const GeneratedSuite redis = generate_suite("redis_token", two_steps());
  EXPECT_EQ(names_of(redis).count("zones"), 0U);
  EXPECT_NE(why_left_out(redis, "zones, isolation"), "");
  EXPECT_NE(why_left_out(redis, "variants"), "");
  const GeneratedSuite session = generate_suite("get_lock", two_steps());
  EXPECT_EQ(names_of(session).count("fraction"), 0U);
  EXPECT_NE(why_left_out(session, "leases"), "");
  const GeneratedSuite variant = generate_suite("insert_lease+found_rows", two_steps());
  EXPECT_NE(why_left_out(variant, "found_rows"), "");
}

TEST(GeneratedSuite, MissingAttemptIsReported) {
  LockFacts facts = two_steps();
  facts.shapes.erase(facts.shapes.begin() + 2);
  EXPECT_NE(why_left_out(generate_suite("fenced_lease", facts), "faults when renewed"), "");
}

TEST(GeneratedSuite, LeasesOfWholeSecondsAreRounded) {
  EXPECT_EQ(lapses_scenario("upsert_lease").settings_of("upsert_lease").load.lease_ms, 2000);
  EXPECT_EQ(lapses_scenario("fenced_lease").settings_of("fenced_lease").load.lease_ms, 1200);
}

// If a holder waits for its other keys, or holds for longer than others wait, its lease must cover it: no behaviour of
// a sound lock may be a violation.
TEST(GeneratedSuite, HoldsOfALockThatWaitsEndWithinTheirLeases) {
  LockType waiting = lock_type("redis_token");
  waiting.waits = true;
  waiting.waits_ms = 2000;
  add_lock("waits_for_its_turn", waiting);
  const GeneratedSuite suite = generate_suite("waits_for_its_turn", two_steps());
  for (const char* name : {"none", "crowd", "keys_alike", "keys_apart", "many_keys", "keys_at_once"}) {
    const Load& load = named(suite, name).settings_of("waits_for_its_turn").load;
    const int others = static_cast<int>(load.keys_at_once) - 1;
    EXPECT_GT(load.lease_ms, 2000 + load.hold_ms.most + others * 2000) << name;
  }
}

// An election counts a lease from when a candidate first saw it: one that gives up earlier never succeeds a dead
// leader.
TEST(GeneratedSuite, LongWaitsForALockThatRenewsByItselfOutliveItsLeases) {
  for (const std::int64_t waits_ms : {1000, 2500, 8000}) {
    const Manifest manifest = read_manifest(
        R"({"name": "waits_)" + std::to_string(waits_ms) + R"(", "kind": "election", "command": ["sh"], )" +
            R"("servers": ["redis"], "can": ["background", "wait"], "waits_ms": )" + std::to_string(waits_ms) + "}",
        "f/lock.json");
    add_lock(manifest.name, lock_type_of(manifest));
    EXPECT_EQ(lapses_scenario(manifest.name).settings_of(manifest.name).load.lease_ms, 2000) << waits_ms;
    const GeneratedSuite suite = generate_suite(manifest.name, two_steps());
    for (const char* name : {"none", "crowd", "keys_alike", "many_keys", "long_jobs"}) {
      EXPECT_LE(named(suite, name).settings_of(manifest.name).load.lease_ms, 2000) << name;
    }
  }
}

// Represents any adapter: it renews, and its requests are unseen.
const std::string& an_adapter() {
  static const std::string name = [] {
    const Manifest manifest = read_manifest(
        R"({"name": "an_adapter", "command": ["sh"], "servers": ["redis"], "can": ["renew"]})", "f/lock.json");
    add_lock(manifest.name, lock_type_of(manifest));
    return manifest.name;
  }();
  return name;
}

TEST(GeneratedSuite, RequestsOfAnAdapterAreStruck) {
  const GeneratedSuite suite = generate_suite(an_adapter(), {});
  const auto names = names_of(suite);
  for (const char* operation : {"acquire", "renew", "release"}) {
    for (const char* fault : {"reply_lost", "duplicate", "hold"}) {
      const std::string name = std::string(fault) + "_" + operation + "_request";
      ASSERT_EQ(names.count(name), 1U) << name;
      const InjectionPoint at = named(suite, name).faults.at(0).at;
      EXPECT_EQ(at.request, 1) << name;
      EXPECT_EQ(at.of, operation) << name;
      EXPECT_EQ(at.after, std::string(fault) == "reply_lost") << name;
    }
  }
  EXPECT_EQ(names.count("kill_between_requests_of_release"), 0U) << "it is not known to have a second one";
  EXPECT_EQ(named(suite, "hold_release_request").expected_of(an_adapter()).at("mutual_exclusion"), "allowed");
  SuiteOptions options;
  options.scenarios = suite.scenarios;
  EXPECT_EQ(refusal([&] { plan_cells(options); }), "accepted");
}

// A refused attempt shows nothing of what a grant would; and a late acquire is granted only where the key is free.
TEST(GeneratedSuite, AcquiresOfAnAdapterAreStruckWhileTheirKeyIsFree) {
  const GeneratedSuite suite = generate_suite(an_adapter(), {});
  for (const char* name :
       {"pause_acquire_request", "hold_acquire_request", "reply_lost_acquire_request", "duplicate_acquire_request",
        "kill_acquire_request", "request_lost_acquire_request", "cut_replies_acquire"}) {
    for (const auto& fault : named(suite, name).faults) {
      EXPECT_EQ(fault.at.key, "free") << name;
      EXPECT_NE(aim_of(fault), FaultAim::none) << name;
    }
  }
  EXPECT_EQ(named(suite, "hold_acquire_request").faults.at(0).settings.find("arrives")->text, "free");
  EXPECT_EQ(named(suite, "hold_release_request").faults.at(0).settings.find("arrives")->text, "held");
  EXPECT_EQ(aim_of(named(suite, "hold_release_request").faults.at(0)), FaultAim::none);
  EXPECT_EQ(aim_of(named(suite, "pause_granted").faults.at(0)), FaultAim::none);
  EXPECT_EQ(aim_of(named(suite, "pause_acquire_request").faults.at(0)), FaultAim::reply);
  EXPECT_EQ(aim_of(named(suite, "kill_acquire_request").faults.at(0)), FaultAim::reply);
  EXPECT_EQ(aim_of(named(suite, "hold_acquire_request").faults.at(0)), FaultAim::request);
}

TEST(GeneratedSuite, AttemptsDuringAHoldExpectRefusal) {
  const GeneratedSuite suite = generate_suite("fenced_lease", two_steps());
  EXPECT_EQ(aim_of(named(suite, "pause_refused_before_acquire").faults.at(0)), FaultAim::none);
  EXPECT_EQ(aim_of(named(suite, "pause_granted_after_acquire").faults.at(0)), FaultAim::reply);
}

// Each call of gRPC has a stream of its own.
TEST(GeneratedSuite, RequestsThatCannotRepeatAreNotDuplicated) {
  const Manifest manifest =
      read_manifest(R"({"name": "an_adapter_on_etcd", "command": ["sh"], "servers": ["etcd"]})", "f/lock.json");
  add_lock(manifest.name, lock_type_of(manifest));
  const GeneratedSuite suite = generate_suite(manifest.name, {});
  const auto names = names_of(suite);
  EXPECT_EQ(names.count("reply_lost_acquire_request"), 1U);
  EXPECT_EQ(names.count("duplicate_acquire_request"), 0U);
  EXPECT_EQ(why_left_out(suite, "requests that arrive twice"), "each request to etcd has its own stream");
}

TEST(GeneratedSuite, NamesTheCommandThatStrikesServers) {
  EXPECT_EQ(why_left_out(generate_suite("insert_lease", two_steps()), "faults of the server"),
            "they have their own suite: holdfast run scenarios/server --lock insert_lease");
}

// Its renewals are internal; long jobs are its promise, and must be tried.
TEST(GeneratedSuite, SelfRenewingLockGetsLongJobs) {
  LockType renewing = lock_type("redis_token");
  renewing.renews_unseen = true;
  add_lock("renews_by_itself", renewing);
  const GeneratedSuite suite = generate_suite("renews_by_itself", two_steps());
  EXPECT_EQ(why_left_out(suite, "long_jobs"), "");
  for (const char* name : {"long_jobs", "long_job_cut"}) {
    const Scenario& scenario = named(suite, name);
    const Load& load = scenario.settings_of("renews_by_itself").load;
    EXPECT_GE(load.hold_ms.least, 2 * load.lease_ms) << name;
    EXPECT_EQ(scenario.expected_of("renews_by_itself").count("mutual_exclusion"), 0U) << name << ": it must hold";
  }
  const Scenario& cut = named(suite, "long_job_cut");
  EXPECT_LT(cut.faults.at(0).for_ms, cut.settings_of("renews_by_itself").load.lease_ms / 2);
  const GeneratedSuite other = generate_suite("redis_token", two_steps());
  EXPECT_NE(why_left_out(other, "long_jobs"), "") << "it renews nothing";
  EXPECT_EQ(names_of(other).count("long_job_cut"), 0U);
}

// Every lock's own statements: what is made passes the checks that a user's scenario meets.
TEST(GeneratedSuite, EveryCatalogueLockHasASuite) {
  for (const auto& entry : catalogue_locks()) {
    LockFacts facts;
    facts.looks_at_deadline = true;
    std::vector<std::string> names = statement_names(entry.name);
    names.erase(std::remove(names.begin(), names.end(), "schema"), names.end());
    for (const Situation situation : kSituations) {
      if (situation == Situation::renewed && !entry.type->renews && !entry.type->renews_in_background) continue;
      if (situation == Situation::released && !entry.type->releases) continue;
      facts.shapes.push_back({situation, names, 1});
    }
    SuiteOptions options;
    options.scenarios = generate_suite(entry.name, facts).scenarios;
    options.scenarios.push_back(lapses_scenario(entry.name));
    EXPECT_EQ(refusal([&] { plan_cells(options); }), "accepted") << entry.name;
    EXPECT_GT(options.scenarios.size(), 20U) << entry.name;
  }
}

TEST(GeneratedSuite, CommonHolderFaultsAreAmongTheFirstTen) {
  const Manifest manifest =
      read_manifest(R"({"name": "an_adapter_to_strike", "command": ["sh"], "servers": ["redis"]})", "f/lock.json");
  add_lock(manifest.name, lock_type_of(manifest));
  for (const std::string& lock : {std::string("fenced_lease"), manifest.name}) {
    const bool adapter = lock == manifest.name;
    const auto first = first_ten(lock, two_steps());
    for (const char* name : {"kill_critical_section", "pause_critical_section", "none", "crowd",
                             adapter ? "reply_lost_acquire_request" : "reply_lost_granted_after_token",
                             adapter ? "cut_granted" : "cut_granted_after_token"}) {
      EXPECT_EQ(std::count(first.begin(), first.end(), name), 1) << lock << " " << name;
    }
  }
}

TEST(GeneratedSuite, DeclaredAbilitiesAreAmongTheFirstTen) {
  const Manifest manifest = read_manifest(
      R"({"name": "an_adapter_to_cancel", "command": ["sh"], "servers": ["redis"], "can": ["wait", "cancel"]})",
      "f/lock.json");
  add_lock(manifest.name, lock_type_of(manifest));
  const auto first = first_ten(manifest.name, two_steps());
  EXPECT_EQ(std::count(first.begin(), first.end(), "cancelled"), 1);
  EXPECT_EQ(std::count(first.begin(), first.end(), "cancelled_in_transit"), 1);
}

TEST(GeneratedSuite, LostServerStateAllowsTokenViolations) {
  const GeneratedSuite suite = generate_suite("fenced_lease", two_steps());
  const auto expected = named(suite, "entries_dropped").expected_of("fenced_lease");
  EXPECT_EQ(expected.at("fencing"), "allowed:server_lost_state,session_lost");
  EXPECT_EQ(expected.at("progress"), "allowed") << "which lets no violation pass";
}

TEST(GeneratedSuite, LongTrialsComeLast) {
  LockType waiting = lock_type("redis_token");
  waiting.waits = true;
  waiting.waits_ms = 10'000;
  add_lock("waits_for_long", waiting);
  EXPECT_LT(lapses_scenario("waits_for_long").load.duration_ms, 30'000) << "all others wait for it";
  const GeneratedSuite suite = generate_suite("waits_for_long", two_steps());
  EXPECT_GT(suite.scenarios.back().load.duration_ms, 20'000);
  bool long_one = false;
  for (const auto& one : suite.scenarios) {
    EXPECT_FALSE(long_one && one.load.duration_ms <= 20'000) << one.name;
    long_one = long_one || one.load.duration_ms > 20'000;
  }
}

}  // namespace
}  // namespace holdfast
