// What of the lock service's servers and hosts can be struck: a capability each, which a fault gets if it names it
// (capability.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nemesis/capability.hpp"
#include "nemesis/client_capabilities.hpp"
#include "servers/administration.hpp"

namespace holdfast {

// The links between servers that are equals. Clients of one that is cut off still reach it.
class ClusterLinks : public CapabilityOf<Capability::cluster_links> {
 public:
  virtual void cut_off(std::uint32_t server) = 0;  // packets between it and the others vanish
  // ... and so do those between its side and the rest: on its side are those of its clients whose first server it is.
  virtual void cut_off_with_clients(std::uint32_t server) = 0;
  virtual void let_back(std::uint32_t server) = 0;
  virtual std::int64_t packets_dropped(std::uint32_t server) const = 0;
  // A probe of ours, from its node to another; with clients, also from a client of either side to the other.
  virtual bool reaches_others(std::uint32_t server) const = 0;
  virtual std::optional<ClusterView> view(std::uint32_t server) const = 0;  // its answer; nothing: none
};

// The link between a server and its asynchronous replica, which can take the server's place.
class ReplicationLink : public CapabilityOf<Capability::replication_link> {
 public:
  virtual void cut(std::uint32_t server) = 0;  // packets between the two vanish
  virtual std::int64_t packets_dropped(std::uint32_t server) const = 0;
  virtual std::optional<bool> replica_has_canary(std::uint32_t server) const = 0;  // nothing: no answer
  // The replica gets the server's address; the server leaves the network.
  virtual void promote_replica(std::uint32_t server) = 0;
  virtual bool replica_is_primary(std::uint32_t server) const = 0;  // what answers at the server's address says so
};

// What a server keeps of what it acknowledged. A canary is an entry of ours.
class ServerAdministration : public CapabilityOf<Capability::server_administration> {
 public:
  virtual Durability durability(std::uint32_t server) const = 0;
  virtual void leave_canary(std::uint32_t server) = 0;  // commits it; returns acknowledged
  // What it promises should its machine lose power.
  virtual Durability durability_without_power(std::uint32_t server) const = 0;
  // Of the last canary; nothing: no answer. Once a replica is promoted, that is asked.
  virtual std::optional<bool> canary_kept(std::uint32_t server) const = 0;

  // Mistakes of operators. Empty: it can be done.
  virtual std::string cannot_drop_entries() const = 0;
  virtual void drop_entries(std::uint32_t server) = 0;  // the canary's, too
  virtual std::string cannot_refuse_writes() const = 0;
  virtual void refuse_writes(std::uint32_t server, bool refuse) = 0;
  virtual std::optional<bool> takes_writes(std::uint32_t server) const = 0;  // by a write of ours; nothing: no answer
};

// The wall clocks of the lock service's servers, which are started so that these can be set wrong only where a fault of
// the plan has this need.
class ServerClocks : public CapabilityOf<Capability::server_clocks> {
 public:
  virtual void set_offset(std::uint32_t server, std::int64_t ns) = 0;
  virtual std::string why_no_drift() const { return ""; }  // empty: set_drift can be called
  virtual void set_drift(std::uint32_t server, std::int64_t parts_per_million) = 0;
  virtual std::optional<ClockReading> read(std::uint32_t server) const = 0;  // a query of ours
};

struct DiskLoss {
  std::uint64_t times = 0;   // that this disk lost power
  std::uint64_t bytes = 0;   // lost the last time
  std::uint64_t names = 0;   // of files, lost the last time
  std::uint64_t files = 0;   // and folders, that the server had on it then
  bool synced_kept = false;  // of our own words
  bool unsynced_lost = false;
};

// The disks of the lock service's servers, which are ours only where a fault of the plan has this need: a server has
// then its data on a file system that remembers what was not synced. A loss is tried on two words of our own, of which
// one was synced.
class ServerDisks : public CapabilityOf<Capability::server_disks> {
 public:
  virtual void lose(std::uint32_t server) = 0;  // all that was not synced; files that are open can be used no more
  virtual DiskLoss last_loss(std::uint32_t server) const = 0;
};

// The processes of the lock service's servers.
class ServerProcesses : public CapabilityOf<Capability::server_processes> {
 public:
  virtual bool signal(std::uint32_t server, int number) = 0;
  virtual ProcessState state(std::uint32_t server) const = 0;
  virtual std::optional<std::int64_t> stopped_at_ns(std::uint32_t server) const = 0;  // as of clients
  virtual std::int64_t number(std::uint32_t server) const = 0;                        // another one after a restart
  virtual bool answers(std::uint32_t server) const = 0;  // a probe of ours, from its own node
  virtual void kill(std::uint32_t server) = 0;           // its end is expected from now on
  virtual void restart(std::uint32_t server) = 0;        // on the same data; does not wait for it
};

// Hosts that can take the address of a client's. The plan has one a fault, so that a fault with this need strikes one
// client.
class SpareHosts : public CapabilityOf<Capability::spare_hosts> {
 public:
  // Takes the client's host off the network, gives its address to another, and starts a new client there; nothing when
  // the plan has no host or no spare left. `bring_back`: with an address of its own; does nothing to one that is there.
  virtual std::optional<std::uint32_t> give_address_away(std::uint32_t client) = 0;
  virtual void bring_back(std::uint32_t client) = 0;
  // The address at which the lock service answers a probe of ours from the client's host; empty: it does not.
  virtual std::string address_seen(std::uint32_t client) const = 0;
  // The address that the client's host has on the network, as its own kernel says; empty: none.
  virtual std::string own_address(std::uint32_t client) const = 0;
};

}  // namespace holdfast
