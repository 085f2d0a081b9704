// Stops a server's process (SIGSTOP) and lets it go on, as a stalled disk or a host that is moved does. Requests wait
// in its sockets and take effect later. Proved by the state of the process, and by a probe that gets no answer; that it
// stays so, by its processor time too.
#include <csignal>
#include <map>

#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

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
    for (const auto server : servers) {
      if (processes.state(server) != ProcessState::stopped || (slowly && processes.answers(server))) return Look::over;
      const auto ran_ns = processes.stopped_at_ns(server);
      if (!ran_ns) return Look::unclear;
      if (ran_ns_.emplace(server, *ran_ns).first->second != *ran_ns) return Look::over;
    }
    return Look::in_force;
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
  std::map<std::uint32_t, std::int64_t> ran_ns_;  // when it was stopped
};

}  // namespace

extern const FaultType fault_server_pause;
const FaultType fault_server_pause{
    .about = "stops the lock service's server for a time (SIGSTOP)",
    .cause = "",  // time that passes is no excuse: the server's clock goes on, and it forgets nothing
    .needs = {Capability::server_processes},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ServerPause); },
};

}  // namespace holdfast
