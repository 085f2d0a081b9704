// The link between the lock's server and its replica, cut at the replica's node.
#pragma once

#include "nemesis/capabilities/client_network.hpp"
#include "nemesis/capabilities/replication_link.hpp"
#include "runner/capabilities/lab_server_administration.hpp"

namespace holdfast {

class LabReplicationLink : public ReplicationLink {
 public:
  LabReplicationLink(TrialLab& lab, const LabServerAdministration& administration, ClientNetwork& network)
      : lab_(lab), administration_(administration), network_(network) {}

  std::string unavailable() override { return network_.unavailable(); }
  void cut(std::uint32_t server) override;
  std::int64_t packets_dropped(std::uint32_t server) const override;
  std::optional<bool> replica_has_canary(std::uint32_t server) const override;
  void promote_replica(std::uint32_t server) override;
  bool replica_is_primary(std::uint32_t server) const override;

 private:
  TrialLab& lab_;
  const LabServerAdministration& administration_;
  ClientNetwork& network_;
};

}  // namespace holdfast
