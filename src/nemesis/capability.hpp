// What of a trial can be struck: a fault names the capabilities that it needs, and gets these and no others. All that
// others must know of a fault follows from its needs: whom it strikes, which topology it takes, whether a server of the
// user's own bears it, what the machine must be able to do.
//
//   .needs = {Capability::client_network}                                  // in a fault's file
//   facts_of(Capability::client_network).lab_only                          // true: a target has no such network
//
// The interfaces are in client_capabilities.hpp and server_capabilities.hpp, and those that every fault has in
// world.hpp; the runner implements them.
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

// Whom a fault strikes: its victims are clients, or servers of the lock service (target "server" or "server:N").
enum class Strikes : std::uint8_t { clients, servers };

inline constexpr const char* kLabRelay = "the relay of a lab";

struct CapabilityFacts {
  const char* name = "";
  Strikes of = Strikes::clients;
  bool lab_only = false;                                       // a lab has it, a server of the user's own has not
  const char* lab_part = "a network and a server of the lab";  // the part of the lab that has it
  bool filters_packets = false;                                // the machine must be able to make packets vanish
  bool one_victim = false;                                     // and never everyone
  bool instrumented = false;     // a lock in C++ has it: its statements, session and clocks are in our hands
  bool one_thread = false;       // of clients that have one thread each
  const char* can = "";          // a lock in another language has it if it says that it can do this
  bool last_of_servers = false;  // what another fault would heal afterwards is no longer that server
  bool (*offered)(const Topology& topology) = nullptr;  // null: whatever the topology is
  const char* offered_by = "";  // "a topology with a replica"; empty: by none that has such servers
};

const CapabilityFacts& facts_of(Capability capability);
const std::vector<Capability>& all_capabilities();

bool is_offered(Capability capability, const Topology& topology);

// What all capabilities have in common. An interface names which capability it is:
//
//   class ClientClocks : public CapabilityOf<Capability::client_clocks> { ... };
class AnyCapability {
 public:
  virtual ~AnyCapability() = default;
  // Why this machine cannot do it; asked in the lab before the load. Empty: it can.
  virtual std::string unavailable() { return ""; }
};

template <Capability capability>
class CapabilityOf : public AnyCapability {
 public:
  static constexpr Capability kCapability = capability;
};

}  // namespace holdfast
