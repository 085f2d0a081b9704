// The lab of one trial, as built by the runner, and detection of a cluster that fell apart by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "artifact/time_mode.hpp"
#include "disk/server_disk.hpp"
#include "lab/network.hpp"
#include "lab/process.hpp"
#include "lab/server_clock.hpp"
#include "lock/lock.hpp"
#include "nemesis/capability.hpp"
#include "servers/lock_server.hpp"
#include "servers/server_type.hpp"
#include "virtual_time/time_canary.hpp"

namespace holdfast {

// Detects a cluster that fell apart by itself. A busy machine can stop a server for longer than the cluster waits for
// it; then a trial without such a fault has a broken cluster and does not test what was planned.
//
//   ClusterWatch cluster(plan.faults, server);    // before the load
//   if (auto text = cluster.fell_apart()) ...     // a harness error
//
// Inactive if the lock service is not a cluster, or if a fault of the plan strikes its servers: membership changes are
// then expected and cannot be attributed.
class ClusterWatch {
 public:
  ClusterWatch(const std::vector<FaultSpec>& faults, LockServer& server);
  std::optional<std::string> fell_apart();

 private:
  std::uint64_t changes();  // throws HarnessError without an answer

  Cluster* cluster_;  // null: not a cluster
  std::uint64_t before_ = 0;
};

// The environment of one trial, as built by the runner inside the lab's namespaces: nodes, the lock's server, the
// protected resource, and clients on their nodes.
//
// One server has both the lock and the resource, each at an address of its own, if its kind can hold the resource.
// Otherwise, or if the plan has a fault of the server, the resource has a separate server: it must survive the fault,
// or the evidence of the damage would be lost. The same holds for clusters.
//
// On a target (a user's own server) there are no nodes: clients are in the machine's network. If the target cannot hold
// the resource, holdfast runs a server for it, without a port, on a socket in the lab's memory: data that the target
// forgets or evicts must not remove the evidence.
class TrialLab {
 public:
  TrialLab(const std::string& folder, const Plan& plan, const std::optional<Target>& target,
           const std::vector<std::string>& hosts, TimeMode time);
  void start();  // returns when the server answers and the tables exist
  Process start_client(const ClientPlan& client, int page_descriptor);
  void watch();  // throws HarnessError if a server has ended by itself
  void stop();   // ends the servers, so that their processor time is counted
  ResourceStore& resource() { return *resource_; }
  const ReadinessProbe& resource_probe() const { return resource_type_.readiness; }
  const std::string& server_version() const { return server_version_; }
  LockServer& lock_server() { return *lock_server_; }
  LockServer& lock_server(std::uint32_t server) { return lock_server_->one(server); }
  const char* server_address(std::uint32_t server) const { return kServerAddresses.at(server); }
  TrialServer* resource_server() { return resource_server_.get(); }  // null: the lock's server has both
  std::string log() const { return folder_ + "/lab.log"; }
  const Topology& topology() const { return topology_; }
  bool vdso_clock() const { return type_.vdso_clock; }
  bool skips_time() const { return skips_time_; }
  bool on_target() const { return target_.has_value(); }
  bool on_hosts() const { return !hosts_.empty(); }  // clients' programs run on other hosts
  const std::string& folder() const { return folder_; }
  std::uint32_t servers() const { return topology_.servers; }  // number of equal servers that clients connect to
  const Node& server_node(std::uint32_t server) const {
    return network_.node(server == 0 ? 0 : more_servers_.at(server - 1));
  }
  std::string lock_address(std::uint32_t client) const;  // of the server that the client connects to
  Cluster& cluster();  // only with several equal servers; otherwise throws HarnessError
  // Only in a topology with a replica; otherwise throws HarnessError.
  Replication& replication(std::uint32_t server);
  const Node& replica_node() const { return network_.node(replica_node_); }
  ServerClock& server_clock(std::uint32_t server) { return *server_clocks_.at(server); }
  ServerDisk& server_disk(std::uint32_t server) { return *disks_.at(server); }
  Network& network() { return network_; }
  const Node& client_node(std::uint32_t number) const;  // throws HarnessError on a target
  std::unique_ptr<TimeCanary> start_canary() const;     // only in skipped time
  // Returns the number of an additional host for a fault; empty: all are used.
  std::optional<std::uint32_t> next_host();
  void give_address(std::uint32_t from, std::uint32_t to) { network_.swap_address(from + 1, to + 1); }
  void bring_back(std::uint32_t host) { network_.come_back(host + 1); }

 private:
  static constexpr std::size_t kLockNode = 0;

  void start_on_target();
  Spawn client_on_target(Spawn spawn, const ClientPlan& client) const;
  bool struck() const;                  // true if a fault strikes the lock's server
  bool strikes(Capability what) const;  // true if a fault of the plan needs this capability
  void make_disks();
  ServerConfig config_of_lock_server();
  void start_resource_server(ResourceServer server);
  void make_resource(const ResourceAccess& access);
  std::size_t connections() const;

  std::string folder_;
  const Plan& plan_;
  std::optional<Target> target_;
  std::vector<std::string> hosts_;
  const bool skips_time_;
  int resource_folder_ = -1;  // descriptor of the folder with the resource's socket, beside a target
  Network network_;
  std::size_t replica_node_ = 0;
  std::size_t resource_node_ = kLockNode;
  std::uint32_t next_host_ = 0;
  std::uint32_t end_of_hosts_ = 0;
  std::vector<std::size_t> more_servers_;  // nodes of all but the first
  const ServerType& type_;                 // of the lock's server
  const ServerType& resource_type_;        // of the resource's server
  const Topology topology_;
  std::unique_ptr<ResourceStore> resource_;
  std::vector<std::unique_ptr<ServerClock>> server_clocks_;  // of each server, if the plan needs them
  std::vector<std::unique_ptr<ServerDisk>> disks_;           // the same
  std::unique_ptr<LockServer> lock_server_;
  std::unique_ptr<TrialServer> resource_server_;  // null: the lock's server has both
  std::string server_version_;
};

}  // namespace holdfast
