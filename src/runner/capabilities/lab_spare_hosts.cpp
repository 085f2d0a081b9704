#include "runner/capabilities/lab_spare_hosts.hpp"

#include "runner/capabilities/lab_probe.hpp"

namespace holdfast {

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
