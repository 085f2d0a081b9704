// The sessions of a client's threads at the lock service.
#pragma once

#include <cstdint>
#include <vector>

#include "nemesis/capabilities/any_capability.hpp"

namespace holdfast {

class ClientSessions : public CapabilityOf<Capability::client_sessions> {
 public:
  virtual std::vector<std::uint64_t> of(std::uint32_t client) const = 0;  // by the server's numbers for them
  virtual void end(std::uint64_t session) = 0;
  virtual bool alive(std::uint64_t session) = 0;
  virtual std::int64_t replies_lost(std::uint32_t client) const = 0;  // by order, so far
};

}  // namespace holdfast
