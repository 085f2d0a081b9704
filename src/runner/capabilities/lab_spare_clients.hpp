// The plan's spare clients, which stand by for faults.
#pragma once

#include "nemesis/capabilities/spare_clients.hpp"
#include "runner/client_roster.hpp"

namespace holdfast {

class LabSpareClients : public SpareClients {
 public:
  explicit LabSpareClients(ClientRoster& roster) : roster_(roster) {}

  std::optional<std::uint32_t> replace(std::uint32_t client) override {
    return roster_.start_spare(roster_.node_number(client));
  }
  bool ready(std::uint32_t client) const override { return roster_.ready(client); }

 private:
  ClientRoster& roster_;
};

}  // namespace holdfast
