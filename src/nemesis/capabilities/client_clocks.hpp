// The wall clock of a client: that which its session gives to its lock, and that of a lock which is a program of its
// own.
#pragma once

#include <cstdint>

#include "nemesis/capabilities/any_capability.hpp"

namespace holdfast {

class ClientClocks : public CapabilityOf<Capability::client_clocks> {
 public:
  virtual void set_offset(std::uint32_t client, std::int64_t ns) = 0;
  virtual std::int64_t offset_seen_ns(std::uint32_t client) const = 0;
};

}  // namespace holdfast
