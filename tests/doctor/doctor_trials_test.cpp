// The doctor's trials are complete: every fault of the catalogue, every server; and a suite's needs among them.
#include "doctor/doctor.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "nemesis/fault.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

class DoctorTrials : public testing::Test {
 protected:
  std::set<std::string> names(const std::string& part) {
    std::set<std::string> out;
    for (const auto& trial : doctor_trials(folder.path())) {
      if (trial.part == part) out.insert(trial.name);
    }
    return out;
  }
  std::set<std::string> needs(const std::string& lock, const std::string& more) {
    return needs_of(
        {load_scenario(folder.write("x.json", R"({"locks": [")" + lock + R"("], "expect": {})" + more + "}"))});
  }
  TemporaryFolder folder;
};

TEST_F(DoctorTrials, EveryFaultIsTriedOnce) {
  const auto tried = names("fault");
  for (const auto& [name, type] : faults()) EXPECT_EQ(tried.count(name), 1U) << name;
  EXPECT_EQ(tried.count("server_clock on Redis"), 1U);
  EXPECT_EQ(tried.count("failover on Redis"), 1U);
  EXPECT_EQ(tried.count("pause on Redis"), 0U) << "a process is a process";
  EXPECT_EQ(tried.count("server_partition on Redis"), 1U) << "of a cluster";
  EXPECT_EQ(tried.count("server_partition on PostgreSQL"), 0U) << "there is no cluster of these";
}

TEST_F(DoctorTrials, EveryServerIsStarted) {
  EXPECT_EQ(names("server"),
            (std::set<std::string>{"MariaDB", "replica", "galera", "Redis", "replica on Redis", "quorum on Redis",
                                   "sentinel on Redis", "cluster on Redis", "PostgreSQL", "replica on PostgreSQL",
                                   "etcd", "cluster on etcd", "ZooKeeper", "cluster on ZooKeeper", "S3"}));
}

TEST_F(DoctorTrials, EachTrialHasOneFault) {
  for (const auto& trial : doctor_trials(folder.path())) {
    EXPECT_EQ(trial.scenario.faults.size(), trial.part == "fault" ? 1U : 0U) << trial.name;
  }
}

TEST_F(DoctorTrials, SuiteNeedsItsOwnTrials) {
  EXPECT_EQ(needs("insert_lease", ""), std::set<std::string>{"MariaDB"});
  EXPECT_EQ(needs("redis_token", ""), (std::set<std::string>{"MariaDB", "Redis"}));
  const std::string cut = R"(, "faults": [{"fault": "partition", "at": {"phase": "granted"}}])";
  EXPECT_EQ(needs("insert_lease", cut), (std::set<std::string>{"MariaDB", "partition", kPacketFilter}));
  EXPECT_EQ(needs("redis_token", cut), (std::set<std::string>{"MariaDB", "Redis", "partition", kPacketFilter}));
  const std::string killed = R"(, "faults": [{"fault": "server_kill", "at": {"phase": "granted"}}])";
  EXPECT_EQ(needs("redis_token", killed), (std::set<std::string>{"MariaDB", "Redis", "server_kill on Redis"}));
  EXPECT_EQ(needs("insert_lease", R"(, "topology": "galera")"), (std::set<std::string>{"MariaDB", "galera"}));
}

TEST_F(DoctorTrials, NeedsHaveTheNamesOfTrials) {
  std::set<std::string> all{kPacketFilter};
  for (const char* part : {"server", "fault"}) all.merge(names(part));
  const auto quick = needs_of(load_suite(std::string(HOLDFAST_SOURCE) + "/scenarios"));
  EXPECT_GT(quick.size(), 10U);
  for (const auto& name : quick) EXPECT_EQ(all.count(name), 1U) << name;
}

}  // namespace
}  // namespace holdfast
