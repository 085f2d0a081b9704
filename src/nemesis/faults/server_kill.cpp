// Ends a server's process immediately (SIGKILL). All sessions end; whether acknowledged data survives depends on the
// server's settings. A kill is not a power failure (see power_loss), since data given to the kernel survives. Healed by
// another process on the same data.
#include "nemesis/server_end.hpp"

namespace holdfast {
namespace {

class ServerKill : public ServerEnd {
 protected:
  std::optional<std::string> seen(World&, std::uint32_t) const override { return "server killed, gone, probe refused"; }
  Durability promised(World& world, std::uint32_t server) const override {
    return world.use<ServerAdministration>().durability(server);
  }
};

}  // namespace

extern const FaultType fault_server_kill;
const FaultType fault_server_kill{
    .about = "kills the lock service's server (kill -9) and restarts it on the same data after for_ms",
    .cause = "session_lost",
    .needs = {Capability::server_processes, Capability::server_administration},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ServerKill); },
};

}  // namespace holdfast
