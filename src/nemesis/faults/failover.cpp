// Fails over to an asynchronous replica that lags behind. The link between the server and its replica is cut; for_ms
// later, to heal, the replica is promoted at the server's address, and the server leaves the network: data acknowledged
// meanwhile is lost. Proved by canaries: one was replicated before the cut, the next, acknowledged after it, was not,
// and packets were dropped. Healed when the server at that address accepts writes and lacks that canary.
//
// The replica gets the server's address and link address, so that clients find it without change. The link is cut by
// dropping packets: a replica that is merely stopped would later apply the data waiting in its socket and lose nothing.
#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kPromotion_ms = 10'000;

class Failover : public Fault {
 public:
  void act(World& world, const Victims& servers) override {
    for (const auto server : servers) {
      wait_until_it_follows(world, server);
      world.use<ReplicationLink>().cut(server);
      world.use<ServerAdministration>().leave_canary(server);
    }
    acted_ = true;
  }

  std::optional<std::string> acted(World& world, const Victims& servers) override {
    if (!acted_) return std::nullopt;
    const auto& link = world.use<ReplicationLink>();
    for (const auto server : servers) {
      const auto came_across = link.replica_has_canary(server);
      if (!came_across || *came_across || link.packets_dropped(server) == 0) return std::nullopt;
    }
    return "replication cut: one canary arrived, the next did not";
  }

  Look look(World& world, const Victims& servers, bool /*slowly*/) override {
    const auto& link = world.use<ReplicationLink>();
    for (const auto server : servers) {
      if (link.packets_dropped(server) == 0 || link.replica_is_primary(server)) return Look::over;
      const auto came_across = link.replica_has_canary(server);
      if (!came_across) return Look::unclear;
      if (*came_across) return Look::over;
    }
    return Look::in_force;
  }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }

  void heal(World& world, const Victims& servers) override {
    for (const auto server : servers) world.use<ReplicationLink>().promote_replica(server);
  }

  std::optional<std::string> healed(World& world, const Victims& servers) override {
    for (const auto server : servers) {
      if (!world.use<ReplicationLink>().replica_is_primary(server)) return std::nullopt;
      const auto kept = world.use<ServerAdministration>().canary_kept(server);
      if (!kept || *kept) return std::nullopt;
    }
    return "the promoted replica answers in the server's place, and an acknowledged canary is lost";
  }

  std::int64_t recovery_ms() const override { return kPromotion_ms; }
  bool lasts_until_healed() const override { return true; }

 private:
  // Otherwise a missing canary would prove nothing about the cut.
  static void wait_until_it_follows(World& world, std::uint32_t server) {
    world.use<ServerAdministration>().leave_canary(server);
    const std::int64_t until_ns = world.time().now_ns() + kProof_ms * 1'000'000;
    const auto follows = [&] { return world.use<ReplicationLink>().replica_has_canary(server).value_or(false); };
    if (poll_until(follows, 1, [&] { return world.time().now_ns() >= until_ns; })) return;
    throw HarnessError("the replica does not receive the data that the server acknowledges");
  }

  bool acted_ = false;
};

}  // namespace

extern const FaultType fault_failover;
const FaultType fault_failover{
    .about = "cuts the server's replica off, and after for_ms promotes it in the server's place",
    .cause = "server_lost_state",
    .example = R"({"at": {"time_ms": 0}, "for_ms": 600})",
    .needs = {Capability::replication_link, Capability::server_administration},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new Failover); },
};

}  // namespace holdfast
