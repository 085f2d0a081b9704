// Refusals before anything runs, because names, topologies or injection points do not fit: with file and line.
#include <filesystem>

#include "suite/stored_result.hpp"
#include "tests/suite/plan_cells_fixture.hpp"

namespace holdfast {
namespace {

TEST_F(PlanCells, UnknownNamesAreRefusedWithFileAndLine) {
  options.scenarios = {
      load_scenario(folder.write("x.json", "{\"locks\": [\"get_lock\",\n\"get_lok\"], \"expect\": {}}"))};
  EXPECT_TRUE(contains(suite_refusal(), "x.json:2: locks[1]: unknown lock 'get_lok' (did you mean 'get_lock'?)"));
  EXPECT_TRUE(
      contains(fault_refusal(R"({"fault": "puase", "at": {"time_ms": 1}})"), "x.json:2: faults[0]: unknown fault"));
}

TEST_F(PlanCells, AWatchdogRenewsToo) {
  const auto refused = [this](const std::string& lock) {
    const std::string text = "{\"locks\": [\"" + lock + "\"], \"expect\": {},\n";
    options.scenarios = {load_scenario(
        folder.write("x.json", text + R"("faults": [{"fault": "pause", "at": {"phase": "before_renew"}}]})"))};
    return suite_refusal();
  };
  EXPECT_EQ(refused("fenced_lease"), "accepted");
  EXPECT_EQ(refused("redis_watchdog"), "accepted");
  EXPECT_TRUE(contains(refused("redis_token"), "redis_token does not renew"));
}

TEST_F(PlanCells, TopologiesThatDoNotFitAreRefused) {
  const auto refused = [this](const std::string& lock, const std::string& more) {
    options.scenarios = {
        load_scenario(folder.write("x.json", "{\"locks\": [\"" + lock + "\"], \"expect\": {},\n" + more + "}"))};
    return suite_refusal();
  };
  const std::string failover = R"("faults": [{"fault": "failover", "at": {"time_ms": 0}})";
  const std::string replica = R"("topology": "replica", )";
  EXPECT_EQ(refused("redis_token", replica + failover + "]"), "accepted");
  EXPECT_TRUE(contains(refused("redis_token", failover + "]"),
                       "x.json:2: faults[0]: failover needs a topology with a replica"));
  EXPECT_TRUE(contains(refused("redis_token", R"("topology": "redis_replica", "faults": [])"),
                       "x.json:1: locks[0]: topology 'redis_replica' is called 'replica' now"));
  EXPECT_TRUE(contains(refused("redis_token", R"("topology": "replika", "faults": [])"), "did you mean 'replica'?"));
  EXPECT_EQ(refused("get_lock", replica + failover + "]"), "accepted");
  EXPECT_EQ(refused("get_lock", replica + R"("reads": ["primary", "replica"])"), "accepted");
  EXPECT_TRUE(
      contains(refused("get_lock", R"("reads": "replica")"),
               "x.json:1: locks[0]: reads from a replica need the topology 'replica'; this scenario has 'single'"));
  EXPECT_TRUE(contains(refused("redis_token", replica + R"("reads": "replica")"),
                       "that Redis does not have; this scenario has 'replica'"));
  EXPECT_TRUE(
      contains(refused("redis_token", replica + failover + R"(, {"fault": "server_pause", "at": {"time_ms": 9}}])"),
               "x.json:2: faults[1]: no other fault of servers can be combined with failover"));
  const std::string galera = R"("topology": "galera", )";
  const std::string parted = R"("faults": [{"fault": "server_partition", "target": "server:2", "at": {"time_ms": 9}}])";
  EXPECT_EQ(refused("get_lock", galera + R"("connects": ["server:2", "in_turn"], )" + parted), "accepted");
  EXPECT_TRUE(contains(refused("get_lock", R"("faults": [{"fault": "server_partition", "at": {"time_ms": 9}}])"),
                       "server_partition needs a topology whose servers work together: 'galera'"));
  EXPECT_TRUE(contains(refused("get_lock", galera + R"("faults": [{"fault": "server_kill", "at": {"time_ms": 9}}])"),
                       "x.json:2: faults[0]: server_kill does not strike the servers of topology 'galera'"));
  const auto led = [](const std::string& fault, const std::string& target) {
    return R"("topology": "cluster", "faults": [{"fault": ")" + fault + R"(", "target": ")" + target +
           R"(", "at": {"time_ms": 9}}])";
  };
  EXPECT_EQ(refused("etcd_lease_txn", led("server_partition", "leader")), "accepted");
  EXPECT_EQ(refused("etcd_lease_txn", led("server_kill", "follower")), "accepted");
  EXPECT_EQ(refused("etcd_lease_txn", led("server_pause", "server:2")), "accepted");
  EXPECT_EQ(refused("zookeeper_sequential", led("server_partition", "leader")), "accepted");
  EXPECT_TRUE(contains(refused("etcd_lease_txn", led("server_pause", "leeder")), "did you mean 'leader'?"));
  EXPECT_TRUE(
      contains(refused("get_lock", R"("faults": [{"fault": "server_kill", "target": "leader", "at": {"time_ms": 9}}])"),
               "faults[0].target: in topology 'single' no server is elected; remedy: server:N"));
  const std::string none = R"("faults": [{"fault": "server_partition", "target": "server:3", "at": {"time_ms": 9}}])";
  EXPECT_TRUE(contains(refused("get_lock", galera + none), "faults[0].target: servers are numbered 0 to 2"));
  EXPECT_TRUE(contains(refused("get_lock", R"("connects": "server:1")"),
                       "x.json:1: locks[0]: connects 'server:1': topology 'single' has no such server"));
  EXPECT_TRUE(contains(refused("redis_token", galera + R"("faults": [])"),
                       "topology 'galera' is for locks on MariaDB; redis_token is on another server"));
  const std::string control =
      refused("redis_token", replica + failover + R"(], "control": {"*": {"removes": "x", "topology": "single"}})");
  EXPECT_TRUE(contains(control, "(in the control of line ")) << control;
  EXPECT_TRUE(contains(control, ", with redis_token)")) << control;
  EXPECT_TRUE(contains(control, "faults[0]: failover needs a topology with a replica")) << control;
}

TEST_F(PlanCells, TargetsOfSeveralServersAreChecked) {
  const auto refused = [this](const std::string& lock, const std::string& more) {
    options.scenarios = {
        load_scenario(folder.write("x.json", "{\"locks\": [\"" + lock + "\"], \"expect\": {},\n" + more + "}"))};
    return suite_refusal();
  };
  const auto killed = [&](const std::string& topology, const std::string& target) {
    return refused("redis_quorum", R"("topology": ")" + topology +
                                       R"(", "faults": [{"fault": "server_kill", "target": ")" + target +
                                       R"(", "at": {"time_ms": 9}}])");
  };
  EXPECT_EQ(killed("quorum", "server:0,4"), "accepted");
  EXPECT_TRUE(contains(killed("quorum", "server:0,5"), "faults[0].target: servers are numbered 0 to 4"));
  EXPECT_TRUE(contains(killed("quorum", "server:0,0"), "server:N,M"));
  EXPECT_TRUE(contains(killed("single", "server:0,1"), "the only server is server:0"));
  EXPECT_EQ(killed("cluster", "server:5"), "accepted");
  const auto stopped = [&](const std::string& lock, const std::string& topology, const std::string& statement) {
    return refused(lock, R"("topology": ")" + topology + R"(", "faults": [{"fault": "pause", "at": {"statement": ")" +
                             statement + R"("}}])");
  };
  EXPECT_EQ(stopped("redis_quorum", "quorum", "acquire@4"), "accepted");
  EXPECT_EQ(stopped("redis_quorum", "quorum", "acquire"), "accepted");
  EXPECT_TRUE(contains(stopped("redis_quorum", "quorum", "acquire@5"), "servers are numbered 0 to 4"));
  EXPECT_TRUE(contains(stopped("redis_quorum", "quorum", "acquire@"), "STATEMENT@0 names a server"));
  EXPECT_TRUE(contains(stopped("redis_quorum", "quorum", "aquire@1"), "unknown statement of redis_quorum"));
  EXPECT_TRUE(contains(stopped("redis_token", "single", "acquire@0"), "STATEMENT@0 names a server"));
  EXPECT_TRUE(contains(refused("redis_quorum", R"("topology": "quorum", "connects": "server:0")"),
                       "in topology 'quorum' each client connects to all servers"));
  EXPECT_TRUE(
      contains(refused("redis_quorum",
                       R"("topology": "quorum", "faults": [{"fault": "server_partition", "at": {"time_ms": 9}}])"),
               "server_partition needs a topology whose servers work together: 'sentinel' or 'cluster'"));
  EXPECT_TRUE(contains(
      refused("redis_token",
              R"("topology": "sentinel", "faults": [{"fault": "connection_kill", "at": {"phase": "granted"}}])"),
      "connection_kill needs a topology whose clients stay with a server"));
}

TEST_F(PlanCells, UnreachableTargetsAreRefused) {
  const std::pair<const char*, const char*> mistakes[] = {
      {R"({"fault": "pause", "target": "holder", "at": {"phase": "refused"}})",
       "x.json:2: faults[0].target: a holder never reaches refused; remedy: leave out the target, so that the fault "
       "strikes the client that reaches this point"},
      {R"({"fault": "pause", "target": "holder", "at": {"phase": "before_acquire"}})",
       "x.json:2: faults[0].target: a holder never reaches before_acquire"},
      {R"({"fault": "pause", "target": "waiter", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: a waiter never reaches granted"},
      {R"({"fault": "pause", "target": "waiter", "at": {"phase": "critical_section"}})",
       "x.json:2: faults[0].target: a waiter never reaches critical_section"},
      {R"({"fault": "pause", "target": "waiter", "at": {"phase": "before_release"}})",
       "x.json:2: faults[0].target: a waiter never reaches before_release"},
      {R"({"fault": "pause", "target": "waiter", "at": {"statement": "release", "of": "release"}})",
       "x.json:2: faults[0].target: a waiter never reaches a statement of its release"},
      {R"({"fault": "pause", "target": "holder", "at": {"statement": "acquire", "of": "acquire"}})",
       "x.json:2: faults[0].target: a holder never reaches a statement of its acquire"},
      {R"({"fault": "reply_lost", "target": "client:1", "at": {"statement": "acquire", "when": "after"}})",
       "x.json:2: faults[0].at: reply_lost strikes the client that reaches this point; remedy: set \"client\": 1"},
  };
  for (const auto& [fault, why] : mistakes) EXPECT_EQ(fault_refusal(fault).substr(0, std::string(why).size()), why);
  options.scenarios = {load_scenario(
      folder.write("again.json", R"({"locks": ["get_lock"], "expect": {}, "reenter": true, "faults": [{"fault": "pause",
      "target": "holder", "at": {"statement": "acquire", "of": "acquire"}}]})"))};
  EXPECT_EQ(suite_refusal(), "accepted") << "its job asks again for what it holds";
  options.scenarios = {load_scenario(folder.write(
      "two.json", R"({"locks": ["get_lock"], "expect": {}, "keys": 2, "keys_at_once": 2, "faults": [{"fault": "pause",
      "target": "holder", "at": {"phase": "refused"}}]})"))};
  EXPECT_EQ(suite_refusal(), "accepted") << "it waits for its second key";
}

TEST_F(PlanCells, ImpossibleOperationsAndKeysAreRefused) {
  EXPECT_EQ(fault_refusal(R"({"fault": "pause", "target": "waiter", "at": {"statement": "acquire"}})"), "accepted");
  EXPECT_EQ(fault_refusal(R"({"fault": "pause", "at": {"phase": "refused", "of": "acquire", "key": "held"}})"),
            "accepted");
  EXPECT_EQ(fault_refusal(R"({"fault": "pause", "at": {"statement": "release", "of": "release", "key": "free"}})"),
            "accepted");
  const std::pair<const char*, const char*> mistakes[] = {
      {R"({"fault": "pause", "at": {"statement": "acquire", "of": "aquire"}})",
       "x.json:2: faults[0].at.of: unknown of 'aquire' (did you mean 'acquire'?)"},
      {R"({"fault": "pause", "at": {"statement": "acquire", "key": "hold"}})",
       "x.json:2: faults[0].at.key: unknown key 'hold' (did you mean 'held'?)"},
      {R"({"fault": "pause", "at": {"statement": "acquire", "of": "renew"}})",
       "x.json:2: faults[0].at.of: get_lock does not renew; remedy: use acquire or release"},
      {R"({"fault": "pause", "at": {"phase": "granted", "of": "release"}})",
       "x.json:2: faults[0].at.of: phase granted is of acquire; remedy: leave out `of`"},
      {R"({"fault": "pause", "at": {"phase": "critical_section", "of": "acquire"}})",
       "x.json:2: faults[0].at.of: phase critical_section is outside the lock's operations; remedy: leave out `of`"},
      {R"({"fault": "pause", "at": {"time_ms": 5, "key": "held"}})",
       "x.json:2: faults[0].at.key: applies only to an injection point in a client's work; remedy: use a statement or "
       "a phase instead of time_ms"},
      {R"({"fault": "pause", "at": {"time_ms": 5, "of": "acquire"}})",
       "x.json:2: faults[0].at.of: applies only to an injection point in a client's work"},
  };
  for (const auto& [fault, why] : mistakes) EXPECT_EQ(fault_refusal(fault).substr(0, std::string(why).size()), why);
  options.scenarios = {load_scenario(
      folder.write("x.json",
                   "{\"locks\": [\"ip_lease\"], \"expect\": {},\n"
                   R"("faults": [{"fault": "pause", "at": {"statement": "insert", "of": "release"}}]})"))};
  EXPECT_TRUE(contains(suite_refusal(), "x.json:2: faults[0].at.of: ip_lease does not release; remedy: use acquire"));
}

TEST_F(PlanCells, ImpossibleMomentsAreRefused) {
  EXPECT_EQ(fault_refusal(R"({"fault": "pause", "at": {"phase": "granted", "client": 4}, "target": "client:4"})"),
            "accepted");
  EXPECT_EQ(fault_refusal(R"({"fault": "pause", "at": {"statement": "release"}})"), "accepted");
  EXPECT_EQ(fault_refusal(R"({"fault": "address_reuse", "at": {"phase": "granted"}})"), "accepted");
  EXPECT_EQ(fault_refusal(R"({"fault": "server_kill", "target": "server:0", "at": {"phase": "granted"}})"), "accepted");
  const std::pair<const char*, const char*> mistakes[] = {
      {R"({"fault": "pause", "target": "server", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: unknown target 'server'"},
      {R"({"fault": "server_kill", "target": "holder", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: unknown target of server_kill 'holder'"},
      {R"({"fault": "server_kill", "target": "server:1", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: the only server is "},
      {R"({"fault": "pause", "at": {"phase": "grantd"}})",
       "x.json:2: faults[0].at.phase: unknown phase 'grantd' (did you mean 'granted'?)"},
      {R"({"fault": "pause", "at": {"statement": "delete_expired"}})",
       "x.json:2: faults[0].at.statement: unknown statement of get_lock 'delete_expired'"},
      {R"({"fault": "pause", "at": {"statement": "schema"}})",
       "x.json:2: faults[0].at.statement: unknown statement of get_lock"},
      {R"({"fault": "pause", "at": {"phase": "granted", "client": 5}})",
       "x.json:2: faults[0].at: clients are numbered 0 to 4"},
      {R"({"fault": "pause", "at": {"phase": "before_renew"}})",
       "x.json:2: faults[0].at.phase: get_lock does not renew"},
      {R"({"fault": "pause", "at": {"time_ms": 9001}})",
       "x.json:2: faults[0].at.time_ms: is after the end of the load, duration_ms 9000"},
      {R"({"fault": "pause", "at": {"phase": "granted"}, "until": {"phase": "grated"}})",
       "x.json:2: faults[0].until.phase: unknown phase 'grated' (did you mean 'granted'?)"},
      {R"({"fault": "pause", "at": {"phase": "granted"}, "until": {"phase": "granted", "client": 5}})",
       "x.json:2: faults[0].until: clients are numbered 0 to 4"},
      {R"({"fault": "reply_lost", "at": {"statement": "acquire", "when": "after"}, "until": {"phase": "granted"}})",
       "x.json:2: faults[0].until: reply_lost ends by itself"},
      {R"({"fault": "pause", "target": "hodler", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: unknown target 'hodler' (did you mean 'holder'?)"},
      {R"({"fault": "pause", "target": "client:5", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: clients are numbered 0 to 4"},
      {R"({"fault": "pause", "target": "client:", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: unknown target"},
      {R"({"fault": "address_reuse", "target": "everyone", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: address_reuse strikes one client"},
      {R"({"fault": "kill", "target": "everyone", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: kill strikes one client"},
      {R"({"fault": "pause", "at": {"time_ms": 0}})",
       "x.json:2: faults[0].at.time_ms: no client is a holder before the load; remedy: use a phase, or another target"},
      {R"({"fault": "reply_lost", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].at: reply_lost needs an injection point such as "
       "{\"statement\": \"acquire\", \"when\": \"after\"}"},
      {R"({"fault": "reply_lost", "at": {"statement": "acquire"}})",
       "x.json:2: faults[0].at: reply_lost needs an injection point"},
      {R"({"fault": "pause", "target": "client:-1", "at": {"phase": "granted"}})",
       "x.json:2: faults[0].target: unknown target"},
  };
  for (const auto& [fault, why] : mistakes) EXPECT_EQ(fault_refusal(fault).substr(0, std::string(why).size()), why);
  std::string many;
  for (int i = 0; i < 17; ++i)
    many += std::string(i == 0 ? "" : ", ") + R"({"fault": "pause", "at": {"phase": "granted"}})";
  EXPECT_TRUE(contains(fault_refusal(many), "x.json:2: faults[16]: at most 16 faults"));
}

TEST_F(PlanCells, DuplicateOfAnUnrepeatableRequestIsRefused) {
  const auto refused = [this](const std::string& lock) {
    const std::string fault = R"({"fault": "duplicate", "at": {"request": 1, "of": "release"}})";
    const std::string text = "{\"locks\": [\"" + lock + "\"], \"expect\": {\"*\": {}},\n\"faults\": [" + fault + "]}";
    options.scenarios = {load_scenario(folder.write("x.json", text))};
    return suite_refusal();
  };
  EXPECT_EQ(refused("redis_token"), "accepted");
  EXPECT_EQ(refused("zookeeper_ephemeral"), "accepted");
  EXPECT_TRUE(contains(refused("etcd_lease_txn"),
                       "x.json:2: faults[0].at: a request to etcd cannot arrive twice: each uses a separate stream"));
}

// Such a cell could never be as expected, and would show that only when all its trials are over.
TEST_F(PlanCells, UnknownKindsAreRefused) {
  const auto refused = [this](const std::string& verdict) {
    const std::string text = "{\"locks\": [\"get_lock\"], \"why\": {\"*\": \"x\"},\n\"expect\": {\"*\": ";
    options.scenarios = {load_scenario(folder.write("x.json", text + verdict + "}}"))};
    return suite_refusal();
  };
  EXPECT_EQ(refused(R"({"mutual_exclusion": "violated:client_skew,algorithm,overrun"})"), "accepted");
  EXPECT_EQ(refused(R"({"ownership": "violated:foreign_release", "progress": "violated:stuck"})"), "accepted");
  EXPECT_EQ(refused(R"({"resource": "violated:server_lost_state,late_write", "fencing": "violated"})"), "accepted");
  const std::pair<const char*, const char*> mistakes[] = {
      {R"({"mutual_exclusion": "violated:overun"})",
       "x.json:2: expect.*.mutual_exclusion: unknown kind of mutual_exclusion 'overun' (did you mean 'overrun'?)"},
      {R"({"ownership": "violated:overrun"})", "x.json:2: expect.*.ownership: unknown kind of ownership 'overrun'"},
      {R"({"progress": "violated:stuck,"})", "x.json:2: expect.*.progress: unknown kind of progress ''"},
      {R"({"progress": "violated:"})", "x.json:2: expect.*.progress: unknown kind of progress ''"},
  };
  for (const auto& [verdict, why] : mistakes) EXPECT_TRUE(contains(refused(verdict), why)) << refused(verdict);
}

// The house's own scenarios: each loads, and names what there is.
TEST(Scenarios, AllAreValid) {
  int suites = 0;
  for (const auto& suite : std::filesystem::directory_iterator(std::string(HOLDFAST_SOURCE) + "/scenarios")) {
    SuiteOptions options;
    options.scenarios = load_suite(suite.path().string());
    EXPECT_GE(plan_cells(options).size(), options.scenarios.size()) << suite.path();
    for (const auto& scenario : options.scenarios) {
      EXPECT_NE(scenario.about, "") << scenario.name;
      EXPECT_EQ(scenario.suite, suite.path().filename().string());
    }
    ++suites;
  }
  EXPECT_GE(suites, 1);
}

TEST(RunFolder, IsUniqueAndLatestIsLinked) {
  const TemporaryFolder folder;
  const std::string one = new_run_folder(folder.file("runs"));
  const std::string two = new_run_folder(folder.file("runs"));
  EXPECT_NE(one, two);
  EXPECT_TRUE(std::filesystem::is_directory(one));
  EXPECT_EQ(std::filesystem::canonical(folder.file("runs/latest")), std::filesystem::canonical(two));
  folder.write("file", "");
  EXPECT_TRUE(contains(refusal([&] { new_run_folder(folder.file("file")); }), "remedy: --out FOLDER"));
}

}  // namespace
}  // namespace holdfast
