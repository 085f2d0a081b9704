// The lock's service is a Galera cluster of three MariaDB servers, each on a node of its own, all of which take writes.
// Tables are made on the first; the cluster takes them to the others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "servers/mysql/mysql_lock_server.hpp"

namespace holdfast {

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
