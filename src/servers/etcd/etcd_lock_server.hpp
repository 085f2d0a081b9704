// The lock's service is etcd: one server, or three that elect a leader and order all writes. Each server can be
// addressed alone (LockServer::one), so faults can strike one of three. When the load begins, the last one leads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "servers/etcd/etcd_connection.hpp"
#include "servers/etcd/start_etcd.hpp"
#include "servers/lock_server.hpp"

namespace holdfast {

class EtcdServer : public LockServer {
 public:
  EtcdServer(const ServerConfig& config, std::uint32_t number);
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  ReadinessProbe readiness() const override { return kEtcdProbe; }

  // etcd has no connections that another process could end.
  std::string cannot_end_connections() const override;
  void end_connection(std::uint64_t connection, std::uint32_t server) override;
  bool connection_alive(std::uint64_t connection, std::uint32_t server) override;

  // A server acknowledges only what is written and synced.
  Durability durability() const override { return Durability::kept; }
  Durability durability_without_power() const override { return Durability::kept; }
  void leave_canary(std::int64_t n) override;
  std::optional<bool> canary_kept(std::int64_t n) override;
  std::optional<ServerTime> clock() override;  // with a resolution of a second: the date of its answer

 protected:
  const std::string& address() const { return address_; }
  const std::string& log() const { return log_; }

 private:
  std::string address_;
  std::string log_;
};

class EtcdClusterServer : public EtcdServer, public Cluster {
 public:
  explicit EtcdClusterServer(const ServerConfig& config);
  void prepare(const StatementFile& statements) override;
  std::vector<TrialServer*> processes() override;
  LockServer& one(std::uint32_t server) override;
  Cluster* cluster() override { return this; }
  std::string version() override;

  // `changes`: number of elections; there are always three members.
  std::optional<ClusterView> view_of(std::uint32_t server) override;
  std::optional<std::uint32_t> leader() override;

 private:
  void let_the_last_lead();
  void hand_over(std::uint32_t from, std::uint32_t to);

  std::vector<std::unique_ptr<EtcdServer>> others_;
};

std::unique_ptr<LockServer> start_etcd_service(const ServerConfig& config);

// Adds what needs the client library; without it cmake/OptionalServer.cmake provides a replacement.
struct ServerType;
ServerType with_etcd_client(ServerType type);

}  // namespace holdfast
