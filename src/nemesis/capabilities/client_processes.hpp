// The processes of the clients.
#pragma once

#include <cstdint>
#include <optional>

#include "nemesis/capabilities/any_capability.hpp"
#include "nemesis/capabilities/process_state.hpp"

namespace holdfast {

class ClientProcesses : public CapabilityOf<Capability::client_processes> {
 public:
  virtual bool signal(std::uint32_t client, int number) = 0;
  virtual ProcessState state(std::uint32_t client) const = 0;
  // Its processor time so far, if all its threads are stopped: one that goes on for a moment uses some.
  virtual std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const = 0;
  // Ends it for good. Its belief ends with this call.
  virtual void kill(std::uint32_t client) = 0;
};

}  // namespace holdfast
