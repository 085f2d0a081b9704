#include "runner/capabilities/lab_client_network.hpp"

#include <algorithm>
#include <iterator>

#include "runner/capabilities/lab_probe.hpp"

namespace holdfast {

bool LabClientNetwork::reaches(std::uint32_t client, const std::string& address) const {
  const ReadinessProbe readiness = address == kLockAddress ? lab_.lock_server().readiness() : lab_.resource_probe();
  return probe(roster_.node(client), address, readiness, kProbe_ms) >= 0;
}

// Whom a splitter sends to the replica has two addresses of the lock service, and a cluster has one a server.
std::vector<std::string> LabClientNetwork::addresses(const std::string& cut) const {
  if (cut == "resource") return {kResourceAddress};
  std::vector<std::string> out(std::begin(kServerAddresses), std::begin(kServerAddresses) + lab_.servers());
  const auto& reads = plan_.load.reads;
  if (std::find(reads.begin(), reads.end(), "replica") != reads.end()) out.emplace_back(kReplicaAddress);
  if (cut == "all") out.emplace_back(kResourceAddress);
  return out;
}

}  // namespace holdfast
