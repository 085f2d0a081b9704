// A server refuses every write with an error and answers reads, like one that is out of memory or disk space, or has
// become a replica. Proved by a test write; its duration by further ones.
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

class ServerReadOnly : public Fault {
 public:
  std::string unavailable(World& world) override { return world.use<ServerAdministration>().cannot_refuse_writes(); }

  void act(World& world, const Victims& servers) override { set(world, servers, true); }
  std::optional<std::string> acted(World& world, const Victims& servers) override {
    if (!all(world, servers, false)) return std::nullopt;
    return "a test write was refused";
  }
  Look look(World& world, const Victims& servers, bool /*slowly*/) override {
    for (const auto server : servers) {
      const auto takes = world.use<ServerAdministration>().takes_writes(server);
      if (!takes) return Look::unclear;
      if (*takes) return Look::over;
    }
    return Look::in_force;
  }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }
  void heal(World& world, const Victims& servers) override { set(world, servers, false); }
  std::optional<std::string> healed(World& world, const Victims& servers) override {
    if (!all(world, servers, true)) return std::nullopt;
    return "it accepts writes";
  }

 private:
  static void set(World& world, const Victims& servers, bool refuse) {
    for (const auto server : servers) world.use<ServerAdministration>().refuse_writes(server, refuse);
  }
  static bool all(World& world, const Victims& servers, bool take) {
    for (const auto server : servers) {
      if (world.use<ServerAdministration>().takes_writes(server) != std::optional(take)) return false;
    }
    return true;
  }
};

}  // namespace

extern const FaultType fault_server_read_only;
const FaultType fault_server_read_only{
    .about = "makes the lock service's server refuse writes with an error for a time; it still answers reads",
    .cause = "",  // an error is not a grant: nothing is excused
    .needs = {Capability::server_administration},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ServerReadOnly); },
};

}  // namespace holdfast
