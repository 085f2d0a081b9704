// The processes of the lock service's servers.
#pragma once

#include <cstdint>
#include <optional>

#include "nemesis/capabilities/any_capability.hpp"
#include "nemesis/capabilities/process_state.hpp"

namespace holdfast {

class ServerProcesses : public CapabilityOf<Capability::server_processes> {
 public:
  virtual bool signal(std::uint32_t server, int number) = 0;
  virtual ProcessState state(std::uint32_t server) const = 0;
  virtual std::optional<std::int64_t> stopped_at_ns(std::uint32_t server) const = 0;  // as of clients
  virtual std::int64_t number(std::uint32_t server) const = 0;                        // another one after a restart
  virtual bool answers(std::uint32_t server) const = 0;  // a probe of ours, from its own node
  virtual void kill(std::uint32_t server) = 0;           // its end is expected from now on
  virtual void restart(std::uint32_t server) = 0;        // on the same data; does not wait for it
};

}  // namespace holdfast
