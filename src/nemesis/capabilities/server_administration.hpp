// What a server keeps of what it acknowledged. A canary is an entry of ours.
#pragma once

#include <cstdint>
#include <optional>

#include "nemesis/capabilities/any_capability.hpp"
#include "servers/administration.hpp"

namespace holdfast {

class ServerAdministration : public CapabilityOf<Capability::server_administration> {
 public:
  virtual Durability durability(std::uint32_t server) const = 0;
  virtual void leave_canary(std::uint32_t server) = 0;  // commits it; returns acknowledged
  // Of the last canary; nothing: no answer. Once a replica is promoted, that is asked.
  virtual std::optional<bool> canary_kept(std::uint32_t server) const = 0;
};

}  // namespace holdfast
