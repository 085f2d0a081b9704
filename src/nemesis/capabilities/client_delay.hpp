// The network of a client's node: packets that are late.
#pragma once

#include <cstdint>

#include "nemesis/capabilities/any_capability.hpp"

namespace holdfast {

class ClientDelay : public CapabilityOf<Capability::client_delay> {
 public:
  // Delays what the node sends (0: no longer); false when this kernel cannot.
  virtual bool delay(std::uint32_t client, std::int64_t ms) = 0;
  virtual std::int64_t round_trip_ns(std::uint32_t client) const = 0;  // of a probe of ours; negative: no answer

  std::string unavailable() override {
    if (!delay(0, 1)) {
      return "this kernel has no netem (sch_netem); remedy: modprobe sch_netem, as an administrator, or a kernel that "
             "has it";
    }
    delay(0, 0);
    return "";
  }
};

}  // namespace holdfast
