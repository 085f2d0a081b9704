#include "runner/capabilities/lab_cluster_links.hpp"

#include "runner/capabilities/lab_probe.hpp"

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

}  // namespace holdfast
