// How fast the clocks run that a client's session gives to its lock, the monotonic one as well. The client shows what
// it reads.
#pragma once

#include <cstdint>

#include "nemesis/capabilities/any_capability.hpp"

namespace holdfast {

class ClientDrift : public CapabilityOf<Capability::client_drift> {
 public:
  virtual void set_drift(std::uint32_t client, std::int64_t parts_per_million) = 0;
  virtual std::int64_t drift_seen_ns(std::uint32_t client) const = 0;  // what the drift has come to
};

}  // namespace holdfast
