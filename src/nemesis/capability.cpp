#include "nemesis/capability.hpp"

#include "servers/server_type.hpp"

namespace holdfast {
namespace {

bool by_strikeable_servers(const Topology& topology) {
  return topology.strikeable;
}

bool by_a_replica(const Topology& topology) {
  return topology.replica;
}

bool by_several_servers(const Topology& topology) {
  return topology.servers > 1 && !topology.independent;
}

// Otherwise a session moves between servers. A client of independent servers has its session at the first one.
bool by_lasting_sessions(const Topology& topology) {
  return !topology.all_known || topology.independent;
}

CapabilityFacts of_server(const char* name) {
  return {.name = name, .of = Strikes::servers, .lab_only = true, .offered = by_strikeable_servers};
}

// In the order of the enumeration.
const EnumTable<Capability, CapabilityFacts>& all_facts() {
  static const EnumTable<Capability, CapabilityFacts> kAll({
      {.name = "client_processes"},
      {.name = "spare_clients", .one_victim = true},
      {.name = "spare_hosts", .lab_only = true, .filters_packets = true, .one_victim = true},
      {.name = "client_network", .lab_only = true, .filters_packets = true},
      {.name = "client_delay", .lab_only = true, .filters_packets = true},
      {.name = "client_clocks"},
      {.name = "client_drift", .instrumented = true},
      {.name = "client_sessions",
       .instrumented = true,
       .offered = by_lasting_sessions,
       .offered_by = "a topology whose clients stay with a server"},
      {.name = "client_requests"},
      {.name = "client_relay", .lab_only = true, .lab_part = kLabRelay},
      {.name = "statement_gate", .instrumented = true, .one_thread = true},
      {.name = "client_threads", .one_thread = true, .can = "block"},
      of_server("server_processes"),
      of_server("server_administration"),
      of_server("server_clocks"),
      of_server("server_disks"),
      {.name = "replication_link",
       .of = Strikes::servers,
       .lab_only = true,
       .filters_packets = true,
       .last_of_servers = true,
       .offered = by_a_replica,
       .offered_by = "a topology with a replica"},
      {.name = "cluster_links",
       .of = Strikes::servers,
       .lab_only = true,
       .filters_packets = true,
       .offered = by_several_servers,
       .offered_by = "a topology whose servers work together"},
  });
  return kAll;
}

}  // namespace

const CapabilityFacts& facts_of(Capability capability) {
  return all_facts()[capability];
}

const std::vector<Capability>& all_capabilities() {
  static const std::vector<Capability> kAll = [] {
    std::vector<Capability> all;
    for (std::size_t i = 0; i < kCapabilities; ++i) all.push_back(static_cast<Capability>(i));
    return all;
  }();
  return kAll;
}

bool is_offered(Capability capability, const Topology& topology) {
  const CapabilityFacts& facts = facts_of(capability);
  return facts.offered == nullptr || facts.offered(topology);
}

}  // namespace holdfast
