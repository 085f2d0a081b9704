#include "runner/lab_server_capabilities.hpp"

#include <csignal>
#include <utility>

#include "control/control_page.hpp"
#include "lab/network.hpp"
#include "lab/workers.hpp"
#include "runner/lab_trial_capabilities.hpp"

namespace holdfast {

void LabClusterLinks::cut(std::uint32_t server, bool with_clients) {
  const std::lock_guard guard(mutex_);
  cuts_[server] = with_clients;
  filter_all();
}

void LabClusterLinks::let_back(std::uint32_t server) {
  const std::lock_guard guard(mutex_);
  cuts_.erase(server);
  filter_all();
}

// Updates all cuts together, since a node has one table of rules. An unchanged one keeps its counters.
void LabClusterLinks::filter_all() {
  for (std::uint32_t server = 0; server < lab_.servers(); ++server) {
    DroppingRules rules;
    for (const auto& address : unreachable_from(server)) {
      rules.drop_from(address);
      rules.drop_to(address);
    }
    if (loaded_[server] == rules) continue;
    loaded_[server] = rules;
    lab_.network().filter(lab_.server_node(server), rules);
  }
}

std::vector<std::string> LabClusterLinks::unreachable_from(std::uint32_t server) const {
  std::vector<std::string> out;
  const auto add_clients = [&](const std::set<std::uint32_t>& nodes) {
    for (const auto node : nodes) out.push_back(lab_.client_node(node).addresses.front());
  };
  const auto own = cuts_.find(server);
  for (std::uint32_t other = 0; own != cuts_.end() && other < lab_.servers(); ++other) {
    if (other != server) out.emplace_back(lab_.server_address(other));
  }
  if (own != cuts_.end() && own->second) add_clients(client_nodes(server, false));
  for (const auto& [other, with_clients] : cuts_) {
    if (other != server && with_clients) add_clients(client_nodes(other, true));
  }
  return out;
}

// Nodes of the clients that connect to this server first, or of all others. Clients on a shared node share its side.
std::set<std::uint32_t> LabClusterLinks::client_nodes(std::uint32_t server, bool own) const {
  std::set<std::uint32_t> mine;
  std::set<std::uint32_t> others;
  for (const auto& client : plan_.clients) {
    const bool connects = server_of_client(lab_.servers(), plan_.load, client.client) == server;
    (connects ? mine : others).insert(client.node);
  }
  if (own) return mine;
  for (const auto node : mine) others.erase(node);
  return others;
}

std::int64_t LabClusterLinks::packets_dropped(std::uint32_t server) const {
  return lab_.network().dropped(lab_.server_node(server));
}

bool LabClusterLinks::answers(const Node& from, std::uint32_t server) const {
  return probe(from, lab_.server_address(server), lab_.lock_server(server).readiness(), kProbe_ms) >= 0;
}

// All paths to cut between the two sides: from the server to each other server, and with its clients from one client
// node of each side.
std::vector<LabClusterLinks::Way> LabClusterLinks::ways_out(std::uint32_t server) const {
  std::vector<Way> out;
  for (std::uint32_t other = 0; other < lab_.servers(); ++other) {
    if (other != server) out.push_back({&lab_.server_node(server), other});
  }
  const std::lock_guard guard(mutex_);
  const auto found = cuts_.find(server);
  if (found == cuts_.end() || !found->second) return out;
  const auto mine = client_nodes(server, true);
  const auto others = client_nodes(server, false);
  if (!mine.empty()) out.push_back({&lab_.client_node(*mine.begin()), out.front().server});
  if (!others.empty()) out.push_back({&lab_.client_node(*others.begin()), server});
  return out;
}

// Probes all concurrently: a cut must be proved before the cluster reacts to it.
bool LabClusterLinks::reaches_others(std::uint32_t server) const {
  const std::vector<Way> ways = ways_out(server);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> any{false};
  side_by_side(static_cast<int>(ways.size()), [&](int) {
    for (std::size_t way = next++; way < ways.size(); way = next++) {
      if (answers(*ways[way].from, ways[way].server)) any = true;
    }
  });
  return any;
}

void LabReplicationLink::cut(std::uint32_t) {
  DroppingRules rules;
  rules.drop_from(kLockAddress);
  rules.drop_to(kLockAddress);
  lab_.network().filter(lab_.replica_node(), rules);
}

std::int64_t LabReplicationLink::packets_dropped(std::uint32_t) const {
  return lab_.network().dropped(lab_.replica_node());
}

std::optional<bool> LabReplicationLink::replica_has_canary(std::uint32_t server) const {
  return lab_.replication(server).replica_has_canary(administration_.last_mark());
}

// The rules are removed last: until the address has moved, they keep the old primary's unsent data from the replica.
void LabReplicationLink::promote_replica(std::uint32_t server) {
  lab_.replication(server).promote_replica();
  lab_.network().take_over(lab_.server_node(server), lab_.replica_node());
  lab_.network().filter(lab_.replica_node(), {});
}

bool LabReplicationLink::replica_is_primary(std::uint32_t server) const {
  return lab_.replication(server).replica_is_primary();
}

std::string LabServerClocks::why_no_drift() const {
  return lab_.vdso_clock() ? "a clock in the vDSO can be set wrong, but runs at the speed of the host's clock" : "";
}

void LabServerClocks::set_offset(std::uint32_t server, std::int64_t ns) {
  if (!lab_.vdso_clock()) return lab_.server_clock(server).step(ns);
  const std::lock_guard guard(mutex_);
  const auto group = static_cast<pid_t>(lab_.lock_server(server).process().process_number());
  const auto [found, made] = clocks_.try_emplace(group, group);
  if (made) found->second.equip();
  found->second.set_offset(ns);
}

DiskLoss LabServerDisks::last_loss(std::uint32_t server) const {
  const PowerLoss loss = lab_.server_disk(server).last_loss();
  return {loss.times, loss.bytes, loss.names, loss.files, loss.synced_kept, loss.unsynced_lost};
}

bool LabServerProcesses::signal(std::uint32_t server, int number) {
  const std::int64_t own = number_of_server(server);
  if (number == SIGSTOP) stops_.signalled(own, number, monotonic_ns());
  const bool sent = process(server).signal(number);
  if (number == SIGCONT) stops_.signalled(own, number, monotonic_ns());
  return sent;
}

// From its own node, so that a cut of a client's node does not count as the server's.
bool LabServerProcesses::answers(std::uint32_t server) const {
  const ReadinessProbe readiness = lab_.lock_server(server).readiness();
  return probe(lab_.server_node(server), lab_.server_address(server), readiness, kProbe_ms) >= 0;
}

std::optional<std::uint32_t> LabSpareHosts::give_address_away(std::uint32_t client) {
  const std::lock_guard guard(mutex_);
  const auto host = lab_.next_host();
  if (!host) return std::nullopt;
  const std::uint32_t node = roster_.node_number(client);
  off_network_.insert(node);
  lab_.give_address(node, *host);
  return roster_.start_spare(*host, SpareStart::at_once);
}

void LabSpareHosts::bring_back(std::uint32_t client) {
  const std::lock_guard guard(mutex_);
  const std::uint32_t node = roster_.node_number(client);
  if (off_network_.erase(node) > 0) lab_.bring_back(node);
}

std::string LabSpareHosts::address_seen(std::uint32_t client) const {
  std::string own;
  probe(roster_.node(client), kLockAddress, lab_.lock_server().readiness(), kProbe_ms, &own);
  return own;
}

std::string LabSpareHosts::own_address(std::uint32_t client) const {
  return address_towards(roster_.node(client), kLockAddress);
}

}  // namespace holdfast
