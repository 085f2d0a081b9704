#include "runner/lab_server_capabilities.hpp"

#include <csignal>

#include "control/control_page.hpp"
#include "lab/network.hpp"
#include "runner/lab_trial_capabilities.hpp"

namespace holdfast {

void LabClusterLinks::cut_off(std::uint32_t server) {
  DroppingRules rules;
  for (std::uint32_t other = 0; other < lab_.servers(); ++other) {
    if (other == server) continue;
    rules.drop_from(kServerAddresses.at(other));
    rules.drop_to(kServerAddresses.at(other));
  }
  lab_.network().filter(lab_.server_node(server), rules.text());
}

void LabClusterLinks::let_back(std::uint32_t server) {
  lab_.network().filter(lab_.server_node(server), "");
}

std::int64_t LabClusterLinks::packets_dropped(std::uint32_t server) const {
  return lab_.network().dropped(lab_.server_node(server));
}

bool LabClusterLinks::reaches_others(std::uint32_t server) const {
  const ReadinessProbe readiness = lab_.lock_server(server).readiness();
  for (std::uint32_t other = 0; other < lab_.servers(); ++other) {
    if (other == server) continue;
    if (probe(lab_.server_node(server), kServerAddresses.at(other), readiness, kProbe_ms) >= 0) return true;
  }
  return false;
}

void LabReplicationLink::cut(std::uint32_t) {
  DroppingRules rules;
  rules.drop_from(kLockAddress);
  rules.drop_to(kLockAddress);
  lab_.network().filter(lab_.replica_node(), rules.text());
}

std::int64_t LabReplicationLink::packets_dropped(std::uint32_t) const {
  return lab_.network().dropped(lab_.replica_node());
}

std::optional<bool> LabReplicationLink::replica_has_canary(std::uint32_t server) const {
  return lab_.replication(server).replica_has_canary(administration_.last_mark());
}

// The rules go last: until the address has moved they keep what the old primary has not sent yet from the replica.
void LabReplicationLink::promote_replica(std::uint32_t server) {
  lab_.replication(server).promote_replica();
  lab_.network().take_over(lab_.server_node(server), lab_.replica_node());
  lab_.network().filter(lab_.replica_node(), "");
}

bool LabReplicationLink::replica_is_primary(std::uint32_t server) const {
  return lab_.replication(server).replica_is_primary();
}

std::string LabServerClocks::why_no_drift() const {
  return lab_.vdso_clock() ? "a clock in the vDSO can be off, but runs as the host's does" : "";
}

void LabServerClocks::set_offset(std::uint32_t server, std::int64_t ns) {
  if (!lab_.vdso_clock()) return lab_.server_clock(server).step(ns);
  const std::lock_guard guard(mutex_);
  const auto group = static_cast<pid_t>(lab_.lock_server(server).process().process_number());
  const auto [found, made] = clocks_.try_emplace(group, group);
  if (made) found->second.equip();
  found->second.set_offset(ns);
}

bool LabServerProcesses::signal(std::uint32_t server, int number) {
  const std::int64_t own = number_of_server(server);
  if (number == SIGSTOP) stops_.signalled(own, number, monotonic_ns());
  const bool sent = process(server).signal(number);
  if (number == SIGCONT) stops_.signalled(own, number, monotonic_ns());
  return sent;
}

// From its own node, so that a cut of a client's node is none of the server's.
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
  return roster_.start_spare(*host);
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

}  // namespace holdfast
