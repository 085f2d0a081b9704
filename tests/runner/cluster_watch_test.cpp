// A cluster that falls apart without being asked to is an error of the harness; one that a fault parts is not.
#include "runner/trial_lab.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "tests/nemesis/fault_specs.hpp"

namespace holdfast {
namespace {

struct FakeCluster : LockServer, Cluster {
  FakeCluster() : LockServer(not_ours()) {}
  Cluster* cluster() override { return there ? this : nullptr; }
  std::optional<ClusterView> view_of(std::uint32_t) override { return view; }
  void prepare(const StatementFile&) override {}
  std::string version() override { return ""; }
  ReadinessProbe readiness() const override { return {9, "", 1, nullptr}; }
  void end_connection(std::uint64_t, std::uint32_t) override {}
  bool connection_alive(std::uint64_t, std::uint32_t) override { return false; }
  Durability durability() const override { return Durability::kept; }
  void leave_canary(std::int64_t) override {}
  std::optional<bool> canary_kept(std::int64_t) override { return std::nullopt; }
  std::optional<ServerTime> clock() override { return std::nullopt; }

  bool there = true;
  std::optional<ClusterView> view = ClusterView{3, true, 7};
};

TEST(ClusterWatch, ReportsAnUnplannedChange) {
  FakeCluster server;
  ClusterWatch watch({}, server);
  EXPECT_EQ(watch.fell_apart(), std::nullopt);
  server.view->changes = 9;  // one left and came back: there are three again
  EXPECT_NE(watch.fell_apart().value_or("").find("changed 2 times"), std::string::npos);
}

TEST(ClusterWatch, IsSilentDuringAPartitionFault) {
  FakeCluster server;
  ClusterWatch watch(
      {fault_spec("server_partition", R"("at": {"time_ms": 10})", R"(, "target": "server:1", "for_ms": 10)")}, server);
  server.view->changes = 9;
  EXPECT_EQ(watch.fell_apart(), std::nullopt);
}

TEST(ClusterWatch, IgnoresSingleServers) {
  FakeCluster server;
  server.there = false;
  ClusterWatch watch({}, server);
  server.view->changes = 9;
  EXPECT_EQ(watch.fell_apart(), std::nullopt);
}

TEST(ClusterWatch, MissingAnswerIsAnError) {
  FakeCluster server;
  ClusterWatch watch({}, server);
  server.view.reset();
  EXPECT_THROW(watch.fell_apart(), HarnessError);
}

}  // namespace
}  // namespace holdfast
