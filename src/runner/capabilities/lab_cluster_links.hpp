// The links between servers that are equals, cut at the node of one.
#pragma once

#include "nemesis/capabilities/client_network.hpp"
#include "nemesis/capabilities/cluster_links.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

class LabClusterLinks : public ClusterLinks {
 public:
  LabClusterLinks(TrialLab& lab, ClientNetwork& network) : lab_(lab), network_(network) {}

  std::string unavailable() override { return network_.unavailable(); }
  void cut_off(std::uint32_t server) override;
  void let_back(std::uint32_t server) override;
  std::int64_t packets_dropped(std::uint32_t server) const override;
  bool reaches_others(std::uint32_t server) const override;
  std::optional<ClusterView> view(std::uint32_t server) const override { return lab_.cluster().view_of(server); }

 private:
  TrialLab& lab_;
  ClientNetwork& network_;
};

}  // namespace holdfast
