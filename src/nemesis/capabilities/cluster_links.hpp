// The links between servers that are equals. Clients of one that is cut off still reach it.
#pragma once

#include <cstdint>
#include <optional>

#include "nemesis/capabilities/any_capability.hpp"
#include "servers/administration.hpp"

namespace holdfast {

class ClusterLinks : public CapabilityOf<Capability::cluster_links> {
 public:
  virtual void cut_off(std::uint32_t server) = 0;  // packets between it and the others vanish
  virtual void let_back(std::uint32_t server) = 0;
  virtual std::int64_t packets_dropped(std::uint32_t server) const = 0;
  virtual bool reaches_others(std::uint32_t server) const = 0;              // a probe of ours, from its node
  virtual std::optional<ClusterView> view(std::uint32_t server) const = 0;  // its answer; nothing: none
};

}  // namespace holdfast
