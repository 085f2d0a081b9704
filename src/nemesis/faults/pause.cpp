// Stops client processes (SIGSTOP) and lets them go on (SIGCONT), as a long garbage collection, a suspended virtual
// machine or a busy host does. Proved by the state of the process.
#include <csignal>

#include "nemesis/client_fault.hpp"

namespace holdfast {
namespace {

class Pause : public ClientFault {
  void begin(World& world, std::uint32_t client) override { world.signal(client, SIGSTOP); }
  bool begun(World& world, std::uint32_t client) override { return world.process_state(client) == 'T'; }
  std::string in_force() const override { return "stopped"; }
  void end(World& world, std::uint32_t client) override { world.signal(client, SIGCONT); }
  bool ended(World& world, std::uint32_t client) override { return world.process_state(client) != 'T'; }
  std::string over() const override { return "running"; }
};

}  // namespace

extern const FaultType fault_pause;
const FaultType fault_pause{
    .about = "stops the process for a time (SIGSTOP)",
    .cause = "",  // time that passes is no excuse: a lock that overlaps inside its validity is at fault
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new Pause); },
};

}  // namespace holdfast
