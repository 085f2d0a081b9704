// What all capabilities have in common. An interface names which capability it is:
//
//   class ClientClocks : public CapabilityOf<Capability::client_clocks> { ... };
#pragma once

#include <string>

#include "nemesis/capability.hpp"

namespace holdfast {

class AnyCapability {
 public:
  virtual ~AnyCapability() = default;
  // Why this machine cannot do it; asked in the lab before the load. Empty: it can.
  virtual std::string unavailable() { return ""; }
};

template <Capability capability>
class CapabilityOf : public AnyCapability {
 public:
  static constexpr Capability kCapability = capability;
};

}  // namespace holdfast
