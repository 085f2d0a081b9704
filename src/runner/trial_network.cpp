// The network part of TrialWorld: rules, probes and delays on a client's node.

#include <algorithm>
#include <iterator>

#include "lab/door.hpp"
#include "runner/trial_world.hpp"

namespace holdfast {
namespace {

constexpr int kProbe_ms = 250;

}  // namespace

Door TrialWorld::door(const std::string& address) const {
  return address == kLockAddress ? lab_.lock_server().door() : lab_.resource_door();
}

void TrialWorld::filter(std::uint32_t client, const std::string& rules) {
  lab_.network().filter(node_of(client), rules);
}

std::int64_t TrialWorld::packets_dropped(std::uint32_t client) const {
  return lab_.network().dropped(node_of(client));
}

bool TrialWorld::reaches(std::uint32_t client, const std::string& address) const {
  return probe(node_of(client), address, door(address), kProbe_ms) >= 0;
}

// Whom a splitter sends to the replica has two addresses of the lock service, and a cluster has one a server.
std::vector<std::string> TrialWorld::addresses(const std::string& cut) const {
  if (cut == "resource") return {kResourceAddress};
  std::vector<std::string> out(std::begin(kServerAddresses), std::begin(kServerAddresses) + lab_.servers());
  const auto& reads = plan_.load.reads;
  if (std::find(reads.begin(), reads.end(), "replica") != reads.end()) out.emplace_back(kReplicaAddress);
  if (cut == "all") out.emplace_back(kResourceAddress);
  return out;
}

std::optional<std::uint32_t> TrialWorld::give_address_away(std::uint32_t client) {
  const std::lock_guard guard(mutex_);
  const auto host = lab_.next_host();
  if (!host) return std::nullopt;
  off_network_.insert(nodes_.at(client));
  lab_.give_address(nodes_.at(client), *host);
  return start_spare(*host);
}

void TrialWorld::bring_back(std::uint32_t client) {
  const std::lock_guard guard(mutex_);
  if (off_network_.erase(nodes_.at(client)) > 0) lab_.bring_back(nodes_.at(client));
}

std::string TrialWorld::address_seen(std::uint32_t client) const {
  std::string own;
  probe(node_of(client), kLockAddress, door(kLockAddress), kProbe_ms, &own);
  return own;
}

bool TrialWorld::delay(std::uint32_t client, std::int64_t ms) {
  return lab_.network().delay(node_of(client), ms);
}

std::int64_t TrialWorld::round_trip_ns(std::uint32_t client) const {
  return probe(node_of(client), kLockAddress, door(kLockAddress), 10 * kProbe_ms);
}

}  // namespace holdfast
