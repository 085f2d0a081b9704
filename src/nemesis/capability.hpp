// Capabilities: parts of a trial that faults can act on. A fault declares the capabilities it needs, and gets only
// these. Everything else follows from its needs: its victims, the suitable topologies, whether a user's own server
// supports it, and the requirements on the machine.
//
//   .needs = {Capability::client_network}                                  // in a fault's file
//   facts_of(Capability::client_network).lab_only                          // true: a target has no such network
//
// client_capabilities.hpp, server_capabilities.hpp and world.hpp (for all faults) define the interfaces; the runner
// implements them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artifact/enumeration.hpp"

namespace holdfast {

struct Topology;  // servers/server_type.hpp

enum class Capability : std::uint8_t {
  client_processes,
  spare_clients,
  spare_hosts,
  client_network,
  client_delay,
  client_clocks,
  client_drift,
  client_sessions,
  client_requests,
  client_relay,
  statement_gate,
  client_threads,
  server_processes,
  server_administration,
  server_clocks,
  server_disks,
  replication_link,
  cluster_links,
};

inline constexpr std::size_t kCapabilities = kEnumerators<Capability>;

// Victims of a fault: clients, or servers of the lock service (target "server" or "server:N").
enum class Strikes : std::uint8_t { clients, servers };

inline constexpr const char* kLabRelay = "the relay of a lab";

struct CapabilityFacts {
  const char* name = "";
  Strikes of = Strikes::clients;
  bool lab_only = false;                                       // exists in a lab, not on a user's own server
  const char* lab_part = "a network and a server of the lab";  // part of the lab that provides it
  bool filters_packets = false;                                // requires that the machine can drop packets
  bool one_victim = false;                                     // a fault with it strikes one victim, never everyone
  bool instrumented = false;     // only for locks in C++, whose statements, session and clocks holdfast controls
  bool one_thread = false;       // only for clients with one thread each
  const char* can = "";          // for a lock in another language: the required word of `can`
  bool last_of_servers = false;  // permanently removes a server that another fault may still need to heal
  bool (*offered)(const Topology& topology) = nullptr;  // null: any topology
  const char* offered_by = "";                          // "a topology with a replica"; empty: none with such servers
};

const CapabilityFacts& facts_of(Capability capability);
const std::vector<Capability>& all_capabilities();

bool is_offered(Capability capability, const Topology& topology);

// Base of all capabilities. Each interface names its capability:
//
//   class ClientClocks : public CapabilityOf<Capability::client_clocks> { ... };
class AnyCapability {
 public:
  virtual ~AnyCapability() = default;
  // Reason why this machine does not support it, checked in the lab before the load. Empty: it does.
  virtual std::string unavailable() { return ""; }
};

template <Capability capability>
class CapabilityOf : public AnyCapability {
 public:
  static constexpr Capability kCapability = capability;
};

}  // namespace holdfast
