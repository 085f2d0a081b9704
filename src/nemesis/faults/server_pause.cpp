// Stops a server's process (SIGSTOP) and continues it, like a stalled disk or a live migration. Requests wait in its
// sockets and take effect later. Proved by the state of the process and an unanswered probe, and its duration by its
// processor time as well.
#include <csignal>
#include <map>

#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"
#include "nemesis/stopped_time.hpp"

namespace holdfast {
namespace {

class ServerPause : public Fault {
 public:
  void act(World& world, const Victims& servers) override {
    for (const auto server : servers) world.use<ServerProcesses>().signal(server, SIGSTOP);
  }

  std::optional<std::string> acted(World& world, const Victims& servers) override {
    const auto& processes = world.use<ServerProcesses>();
    for (const auto server : servers) {
      if (processes.state(server) != ProcessState::stopped || processes.answers(server)) return std::nullopt;
    }
    return "server stopped, probe unanswered";
  }

  Look look(World& world, const Victims& servers, bool slowly) override {
    const auto& processes = world.use<ServerProcesses>();
    Look out = Look::in_force;
    for (const auto server : servers) {
      if (processes.state(server) != ProcessState::stopped || (slowly && processes.answers(server))) return Look::over;
      const auto ran_ns = processes.stopped_at_ns(server);
      if (!ran_ns) return Look::unclear;
      const Look one = time_[server].look(*ran_ns);
      if (one == Look::over) return one;
      if (one == Look::unclear) out = one;
    }
    return out;
  }

  void heal(World& world, const Victims& servers) override {
    for (const auto server : servers) world.use<ServerProcesses>().signal(server, SIGCONT);
  }

  std::optional<std::string> healed(World& world, const Victims& servers) override {
    const auto& processes = world.use<ServerProcesses>();
    for (const auto server : servers) {
      if (processes.state(server) == ProcessState::stopped || !processes.answers(server)) return std::nullopt;
    }
    return "it answers";
  }

 private:
  std::map<std::uint32_t, StoppedTime> time_;
};

}  // namespace

extern const FaultType fault_server_pause;
const FaultType fault_server_pause{
    .about = "stops the lock service's server for a time (SIGSTOP)",
    .cause = "",  // elapsed time is not an excuse: the server's clock runs, and it loses nothing
    .needs = {Capability::server_processes},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ServerPause); },
};

}  // namespace holdfast
