// Stops client processes (SIGSTOP) and continues them (SIGCONT), like a long garbage collection, a suspended virtual
// machine or a busy host. Proved by the state of the process, and its duration by its processor time as well, which
// would increase if it ran even briefly between two looks.
#include <csignal>
#include <map>

#include "nemesis/client_capabilities.hpp"
#include "nemesis/client_fault.hpp"
#include "nemesis/stopped_time.hpp"

namespace holdfast {
namespace {

class Pause : public ClientFault {
  void begin(World& world, std::uint32_t client) override { world.use<ClientProcesses>().signal(client, SIGSTOP); }
  bool begun(World& world, std::uint32_t client) override { return stopped(world, client); }
  std::string in_force() const override { return "stopped"; }
  Look still(World& world, std::uint32_t client) override {
    if (!stopped(world, client)) return Look::over;
    const auto ran_ns = world.use<ClientProcesses>().stopped_at_ns(client);
    if (!ran_ns) return Look::unclear;  // one of its threads has not stopped yet
    return time_[client].look(*ran_ns);
  }
  void end(World& world, std::uint32_t client) override { world.use<ClientProcesses>().signal(client, SIGCONT); }
  bool ended(World& world, std::uint32_t client) override { return !stopped(world, client); }
  std::string over() const override { return "running again"; }

  static bool stopped(const World& world, std::uint32_t client) {
    return world.use<ClientProcesses>().state(client) == ProcessState::stopped;
  }

  std::map<std::uint32_t, StoppedTime> time_;
};

}  // namespace

extern const FaultType fault_pause;
const FaultType fault_pause{
    .about = "stops the process for a time (SIGSTOP)",
    .cause = "",  // elapsed time is not an excuse: a lock that overlaps within its validity is at fault
    .stops = true,
    .needs = {Capability::client_processes},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new Pause); },
};

}  // namespace holdfast
