// The clocks that a client's session gives to its lock. The client shows what it reads.
#pragma once

#include <cstdint>

#include "nemesis/capabilities/any_capability.hpp"

namespace holdfast {

class ClientClocks : public CapabilityOf<Capability::client_clocks> {
 public:
  virtual void set_offset(std::uint32_t client, std::int64_t ns) = 0;  // of the wall clock
  virtual std::int64_t offset_seen_ns(std::uint32_t client) const = 0;
  virtual void set_drift(std::uint32_t client, std::int64_t parts_per_million) = 0;  // of all its clocks
  virtual std::int64_t drift_seen_ns(std::uint32_t client) const = 0;                // what the drift has come to
};

}  // namespace holdfast
