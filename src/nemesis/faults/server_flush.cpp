// Drops all entries of a server, as an operator's FLUSHALL or DELETE, an eviction, or a new installation would. The
// server keeps running without them. Proved by a test entry, which is gone afterwards.
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

class ServerFlush : public Fault {
 public:
  std::string unavailable(World& world) override { return world.use<ServerAdministration>().cannot_drop_entries(); }

  void act(World& world, const Victims& servers) override {
    auto& administration = world.use<ServerAdministration>();
    for (const auto server : servers) {
      administration.leave_canary(server);
      administration.drop_entries(server);
    }
    is_left_ = true;
  }

  std::optional<std::string> acted(World& world, const Victims& servers) override {
    if (!is_left_) return std::nullopt;  // an entry that was never written proves nothing
    for (const auto server : servers) {
      const auto kept = world.use<ServerAdministration>().canary_kept(server);
      if (!kept || *kept) return std::nullopt;
    }
    return "all entries dropped, including holdfast's own";
  }

  void heal(World&, const Victims&) override {}
  std::optional<std::string> healed(World&, const Victims&) override { return "over"; }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }
  bool lasts() const override { return false; }

 private:
  bool is_left_ = false;
};

}  // namespace

extern const FaultType fault_server_flush;
const FaultType fault_server_flush{
    .about = "drops all entries of the lock service's server, as FLUSHALL or DELETE does",
    .cause = "server_lost_state",
    .example = R"({"at": {"phase": "granted"}})",
    .needs = {Capability::server_administration},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ServerFlush); },
};

}  // namespace holdfast
