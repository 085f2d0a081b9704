// The lock's service is a Galera cluster of MariaDB servers that all take writes, and what makes a server a node of
// one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "servers/mysql/mysql_lock_server.hpp"
#include "servers/mysql/start_mariadb.hpp"

namespace holdfast {

// The lock's service is a Galera cluster of three MariaDB servers, each on a node of its own: all of them take writes,
// each commit is agreed on by all, and a node that is cut off from the majority refuses to serve. Tables are made on
// the first; the cluster takes them to the others.
//
// The nodes are given the state of a cluster that lost power: all of the same empty state, and of one group, which
// forms again as soon as all of it is there. So none waits for another and nothing is copied; ready about 3 s later,
// when each greets. A node that was cut off gets what it missed from the others.
//
// The time-outs are far below Galera's own (5 s and more), so that a cut is noticed within about 2 s and trials stay
// short; a node that a busy machine stops for longer than that is taken for lost too.
//
// `connects` of the load says which client talks to which node, in turn by default. Only faults that part the nodes
// strike them so far (suite/check_names.cpp).
//
// What it does not do: a node whose process was killed does not come back (that needs the whole data to be copied), and
// its clock is not moved.
// Errors: Unavailable, naming the package, where Galera's library is not installed.
class GaleraServer : public MySqlLockServer, public Cluster {
 public:
  explicit GaleraServer(const ServerConfig& config);  // throws Unavailable where Galera is not installed
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
