// Stops a server's process (SIGSTOP) and lets it go on, as a stalled disk or a host that is moved does. Requests wait
// in its sockets and take effect later. Proved by the state of the process, and by a probe that gets no answer.
#include <csignal>

#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class ServerPause : public Fault {
 public:
  void act(World& world, const Victims& servers) override {
    for (const auto server : servers) world.signal_server(server, SIGSTOP);
  }

  std::optional<std::string> acted(World& world, const Victims& servers) override {
    for (const auto server : servers) {
      if (world.server_state(server) != 'T' || world.server_answers(server)) return std::nullopt;
    }
    return "server stopped, probe unanswered";
  }

  void heal(World& world, const Victims& servers) override {
    for (const auto server : servers) world.signal_server(server, SIGCONT);
  }

  std::optional<std::string> healed(World& world, const Victims& servers) override {
    for (const auto server : servers) {
      if (world.server_state(server) == 'T' || !world.server_answers(server)) return std::nullopt;
    }
    return "it answers";
  }
};

}  // namespace

extern const FaultType fault_server_pause;
const FaultType fault_server_pause{
    .about = "stops the lock service's server for a time (SIGSTOP)",
    .cause = "",  // time that passes is no excuse: the server's clock goes on, and it forgets nothing
    .strikes = Strikes::servers,
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ServerPause); },
};

}  // namespace holdfast
