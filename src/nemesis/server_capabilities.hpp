// Capabilities for faults of the lock service's servers and hosts; a fault gets those it declares (capability.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nemesis/capability.hpp"
#include "nemesis/client_capabilities.hpp"
#include "servers/administration.hpp"

namespace holdfast {

// The links between equal servers. Clients of a server that is cut off still reach it.
class ClusterLinks : public CapabilityOf<Capability::cluster_links> {
 public:
  virtual void cut_off(std::uint32_t server) = 0;  // packets between it and the others are dropped
  // ... and between its side and the rest; on its side are the clients whose first server it is.
  virtual void cut_off_with_clients(std::uint32_t server) = 0;
  virtual void let_back(std::uint32_t server) = 0;
  virtual std::int64_t packets_dropped(std::uint32_t server) const = 0;
  // Probes from its node to another's; with clients, also from a client of either side to the other.
  virtual bool reaches_others(std::uint32_t server) const = 0;
  virtual std::optional<ClusterView> view(std::uint32_t server) const = 0;  // its answer; empty: none
};

// The link between a server and its asynchronous replica, which can replace the server.
class ReplicationLink : public CapabilityOf<Capability::replication_link> {
 public:
  virtual void cut(std::uint32_t server) = 0;  // packets between the two are dropped
  virtual std::int64_t packets_dropped(std::uint32_t server) const = 0;
  virtual std::optional<bool> replica_has_canary(std::uint32_t server) const = 0;  // empty: no answer
  // The replica gets the server's address; the server leaves the network.
  virtual void promote_replica(std::uint32_t server) = 0;
  virtual bool replica_is_primary(std::uint32_t server) const = 0;  // as answered at the server's address
};

// Durability of acknowledged data. A canary is an entry written by holdfast.
class ServerAdministration : public CapabilityOf<Capability::server_administration> {
 public:
  virtual Durability durability(std::uint32_t server) const = 0;
  virtual void leave_canary(std::uint32_t server) = 0;  // returns once it is acknowledged
  // Its guarantee for a power loss of its machine.
  virtual Durability durability_without_power(std::uint32_t server) const = 0;
  // True if the last canary was kept; empty: no answer. After a promotion the replica is asked.
  virtual std::optional<bool> canary_kept(std::uint32_t server) const = 0;

  // Operator actions. Empty: possible.
  virtual std::string cannot_drop_entries() const = 0;
  virtual void drop_entries(std::uint32_t server) = 0;  // including the canary
  virtual std::string cannot_refuse_writes() const = 0;
  virtual void refuse_writes(std::uint32_t server, bool refuse) = 0;
  virtual std::optional<bool> takes_writes(std::uint32_t server) const = 0;  // tested by a write; empty: no answer
};

// The wall clocks of the lock service's servers. Servers are started with changeable clocks only if a fault of the plan
// has this need.
class ServerClocks : public CapabilityOf<Capability::server_clocks> {
 public:
  virtual void set_offset(std::uint32_t server, std::int64_t ns) = 0;
  virtual std::string why_no_drift() const { return ""; }  // empty: set_drift is possible
  virtual void set_drift(std::uint32_t server, std::int64_t parts_per_million) = 0;
  virtual std::optional<ClockReading> read(std::uint32_t server) const = 0;  // by a query
};

struct DiskLoss {
  std::uint64_t times = 0;   // power losses of this disk
  std::uint64_t bytes = 0;   // lost the last time
  std::uint64_t names = 0;   // of files, lost the last time
  std::uint64_t files = 0;   // files and folders of the server on it at that time
  bool synced_kept = false;  // a synced test word
  bool unsynced_lost = false;
};

// The disks of the lock service's servers. Only if a fault of the plan has this need, servers have their data on a file
// system that tracks what was not synced. Each loss is verified with two test words, one of them synced.
class ServerDisks : public CapabilityOf<Capability::server_disks> {
 public:
  virtual void lose(std::uint32_t server) = 0;  // everything not synced; open files become unusable
  virtual DiskLoss last_loss(std::uint32_t server) const = 0;
};

// The processes of the lock service's servers.
class ServerProcesses : public CapabilityOf<Capability::server_processes> {
 public:
  virtual bool signal(std::uint32_t server, int number) = 0;
  virtual ProcessState state(std::uint32_t server) const = 0;
  virtual std::optional<std::int64_t> stopped_at_ns(std::uint32_t server) const = 0;  // as for clients
  virtual std::int64_t number(std::uint32_t server) const = 0;                        // another one after a restart
  virtual bool answers(std::uint32_t server) const = 0;                               // a probe from its own node
  virtual void kill(std::uint32_t server) = 0;                                        // its end is expected from now on
  virtual void restart(std::uint32_t server) = 0;  // on the same data; does not wait for it
};

// Hosts that can take over a client's address. The plan has one per fault, so a fault with this need strikes one
// client.
class SpareHosts : public CapabilityOf<Capability::spare_hosts> {
 public:
  // Takes the client's host off the network, gives its address to another host, and starts a new client there; returns
  // nothing if the plan has no host or spare left. `bring_back` reconnects it with a new address; does nothing if it is
  // connected.
  virtual std::optional<std::uint32_t> give_address_away(std::uint32_t client) = 0;
  virtual void bring_back(std::uint32_t client) = 0;
  // Address at which the lock service answers a probe from the client's host; empty: no answer.
  virtual std::string address_seen(std::uint32_t client) const = 0;
  // Address of the client's host on the network, according to its kernel; empty: none.
  virtual std::string own_address(std::uint32_t client) const = 0;
};

}  // namespace holdfast
