// Hosts that can take the address of a client's. The plan has one a fault, so that a fault with this need strikes one
// client.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nemesis/capabilities/any_capability.hpp"

namespace holdfast {

class SpareHosts : public CapabilityOf<Capability::spare_hosts> {
 public:
  // Takes the client's host off the network, gives its address to another, and starts a new client there; nothing when
  // the plan has no host or no spare left. `bring_back`: with an address of its own; does nothing to one that is there.
  virtual std::optional<std::uint32_t> give_address_away(std::uint32_t client) = 0;
  virtual void bring_back(std::uint32_t client) = 0;
  // The address at which the lock service answers a probe of ours from the client's host; empty: it does not.
  virtual std::string address_seen(std::uint32_t client) const = 0;
};

}  // namespace holdfast
