// The lock's service is ZooKeeper: one server, or three that elect a leader and order all writes. Each server can be
// addressed alone (LockServer::one), so faults can strike one of three. When the load begins, the last one leads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "servers/lock_server.hpp"
#include "servers/zookeeper/start_zookeeper.hpp"

namespace holdfast {

class ZooKeeperServer : public LockServer {
 public:
  ZooKeeperServer(const ServerConfig& config, std::uint32_t number);
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  ReadinessProbe readiness() const override { return kZooKeeperProbe; }

  // Other processes cannot end a connection here, and a session outlives it.
  std::string cannot_end_connections() const override;
  void end_connection(std::uint64_t connection, std::uint32_t server) override;
  bool connection_alive(std::uint64_t connection, std::uint32_t server) override;

  // A server acknowledges only what is written and synced.
  Durability durability() const override { return Durability::kept; }
  Durability durability_without_power() const override { return Durability::kept; }
  void leave_canary(std::int64_t n) override;
  std::optional<bool> canary_kept(std::int64_t n) override;
  std::optional<ServerTime> clock() override;  // of the leader: the time of a change made for this

  void wait_until_it_answers();
  const std::string& log() const { return log_; }
  const std::string& address() const { return address_; }

 private:
  std::string address_;
  std::string log_;
};

class ZooKeeperClusterServer : public ZooKeeperServer, public Cluster {
 public:
  explicit ZooKeeperClusterServer(const ServerConfig& config);
  void prepare(const StatementFile& statements) override;
  std::vector<TrialServer*> processes() override;
  LockServer& one(std::uint32_t server) override;
  Cluster* cluster() override { return this; }
  std::string version() override;

  // `changes`: number of elections; there are always three members.
  std::optional<ClusterView> view_of(std::uint32_t server) override;
  std::optional<std::uint32_t> leader() override;

 private:
  bool whole();
  void let_the_last_lead();
  ZooKeeperServer& server(std::uint32_t number);

  std::vector<std::unique_ptr<ZooKeeperServer>> others_;
};

std::unique_ptr<LockServer> start_zookeeper_service(const ServerConfig& config);

// Adds what needs the client library; without it cmake/OptionalServer.cmake provides a replacement.
struct ServerType;
ServerType with_zookeeper_client(ServerType type);

}  // namespace holdfast
