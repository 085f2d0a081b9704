// Hosts beside those of the clients, which the lab makes where a plan needs them.
#pragma once

#include <mutex>
#include <set>

#include "nemesis/capabilities/spare_hosts.hpp"
#include "runner/client_roster.hpp"

namespace holdfast {

class LabSpareHosts : public SpareHosts {
 public:
  LabSpareHosts(ClientRoster& roster, TrialLab& lab) : roster_(roster), lab_(lab) {}

  std::optional<std::uint32_t> give_address_away(std::uint32_t client) override;
  void bring_back(std::uint32_t client) override;
  std::string address_seen(std::uint32_t client) const override;

 private:
  ClientRoster& roster_;
  TrialLab& lab_;
  std::mutex mutex_;
  std::set<std::uint32_t> off_network_;  // nodes
};

}  // namespace holdfast
