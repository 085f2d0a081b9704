// New clients in the place of those that are gone. The plan has one spare a fault, so that a fault with this need
// strikes one client.
#pragma once

#include <cstdint>
#include <optional>

#include "nemesis/capabilities/any_capability.hpp"

namespace holdfast {

class SpareClients : public CapabilityOf<Capability::spare_clients> {
 public:
  // Starts a new client on the node of one that is gone; nothing when the plan has no spare left.
  virtual std::optional<std::uint32_t> replace(std::uint32_t client) = 0;
  virtual bool ready(std::uint32_t client) const = 0;
};

}  // namespace holdfast
