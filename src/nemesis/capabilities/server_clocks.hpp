// The wall clocks of the lock service's servers, which are started so that these can be set wrong only where a fault of
// the plan has this need.
#pragma once

#include <cstdint>
#include <optional>

#include "nemesis/capabilities/any_capability.hpp"
#include "servers/administration.hpp"

namespace holdfast {

class ServerClocks : public CapabilityOf<Capability::server_clocks> {
 public:
  virtual void set_offset(std::uint32_t server, std::int64_t ns) = 0;
  virtual void set_drift(std::uint32_t server, std::int64_t parts_per_million) = 0;
  virtual std::optional<ClockReading> read(std::uint32_t server) const = 0;  // a query of ours
};

}  // namespace holdfast
