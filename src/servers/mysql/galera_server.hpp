// A Galera cluster of MariaDB servers that all accept writes, as the lock's service, and the setup of its nodes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "servers/mysql/mysql_lock_server.hpp"
#include "servers/mysql/start_mariadb.hpp"

namespace holdfast {

// The lock's service is a Galera cluster of three MariaDB servers, each on its own node: all accept writes, each commit
// is agreed on by all, and a node that is cut off from the majority refuses to serve. Tables are created on the first;
// the cluster replicates them.
//
// Nodes start with the state of a cluster that lost power: all with the same empty state in one group, which forms
// again when all are present. So no node waits for another and nothing is copied; they are ready after about 3 s, when
// each greets. A node that was cut off gets missing data from the others.
//
// Time-outs are far below Galera's defaults (5 s and more), so that a cut is noticed within about 2 s and trials stay
// short; a node stopped for longer than that by a busy machine also counts as lost.
//
// `connects` of the load assigns clients to nodes, by default in turn. So far only faults that separate the nodes
// strike them (suite/check_names.cpp).
//
// Limits: a node whose process was killed does not return (that needs a copy of all data), and its clock cannot be
// changed.
// Errors: Unavailable, with the package's name, if Galera's library is not installed.
class GaleraServer : public MySqlLockServer, public Cluster {
 public:
  explicit GaleraServer(const ServerConfig& config);  // throws Unavailable if Galera is not installed
  void prepare(const StatementFile& statements) override;
  std::vector<TrialServer*> processes() override;
  Cluster* cluster() override { return this; }
  std::string version() override;
  std::optional<ClusterView> view_of(std::uint32_t server) override;

 private:
  void wait_until_whole();

  std::string folder_;
  std::vector<std::unique_ptr<TrialServer>> others_;
};

}  // namespace holdfast
