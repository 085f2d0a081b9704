// The link between a server and its asynchronous replica, which can take the server's place.
#pragma once

#include <cstdint>
#include <optional>

#include "nemesis/capabilities/any_capability.hpp"

namespace holdfast {

class ReplicationLink : public CapabilityOf<Capability::replication_link> {
 public:
  virtual void cut(std::uint32_t server) = 0;  // packets between the two vanish
  virtual std::int64_t packets_dropped(std::uint32_t server) const = 0;
  virtual std::optional<bool> replica_has_canary(std::uint32_t server) const = 0;  // nothing: no answer
  // The replica gets the server's address; the server leaves the network.
  virtual void promote_replica(std::uint32_t server) = 0;
  virtual bool replica_is_primary(std::uint32_t server) const = 0;  // what answers at the server's address says so
};

}  // namespace holdfast
