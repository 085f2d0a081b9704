// Cuts one server of a cluster off from the others: packets between them vanish silently, while its clients, and
// everybody else, still reach it. Such a server is a minority of one. Proved by a probe of ours from its node to the
// others, which is not answered, and by packets that vanished; healed when every server answers that it sees all of
// them again and takes statements. What the server that was cut off saw of the others at the end is told too: a cut
// that is shorter than the cluster's own time-outs goes by unnoticed.
#include "artifact/error.hpp"
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

// On a full machine a cluster took twenty seconds to agree who belongs to it.
constexpr std::int64_t kRejoin_ms = 45'000;

class ServerPartition : public Fault {
 public:
  void act(World& world, const Victims& servers) override {
    for (const auto server : servers) world.use<ClusterLinks>().cut_off(server);
  }

  std::optional<std::string> acted(World& world, const Victims& servers) override {
    const auto& links = world.use<ClusterLinks>();
    for (const auto server : servers) {
      if (links.reaches_others(server) || links.packets_dropped(server) == 0) return std::nullopt;
    }
    return "server cut off from the others, probe unanswered";
  }

  Look look(World& world, const Victims& servers, bool slowly) override {
    const auto& links = world.use<ClusterLinks>();
    for (const auto server : servers) {
      if (links.packets_dropped(server) == 0) return Look::over;
      if (slowly && links.reaches_others(server)) return Look::over;
    }
    return Look::in_force;
  }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }

  void heal(World& world, const Victims& servers) override {
    auto& links = world.use<ClusterLinks>();
    for (const auto server : servers) {
      const auto view = links.view(server);
      const std::string members = view ? std::to_string(view->members) : "an unknown number";
      seen_ = "it saw " + members + " of " + std::to_string(world.candidates().servers()) + " servers and " +
              (view && view->serves ? "served" : "did not serve");
      dropped_ += links.packets_dropped(server);
      links.let_back(server);
    }
  }

  std::optional<std::string> healed(World& world, const Victims& servers) override {
    const auto& links = world.use<ClusterLinks>();
    const std::uint32_t all = world.candidates().servers();
    for (const auto server : servers) {
      if (links.packets_dropped(server) > 0 || !links.reaches_others(server)) return std::nullopt;
    }
    for (std::uint32_t server = 0; server < all; ++server) {
      const auto view = links.view(server);
      if (!view || !view->serves || view->members != all) return std::nullopt;
    }
    return seen_ + "; " + std::to_string(dropped_) + " packets dropped; all are one cluster again";
  }

  std::int64_t recovery_ms() const override { return kRejoin_ms; }

 private:
  std::string seen_;
  std::int64_t dropped_ = 0;
};

}  // namespace

extern const FaultType fault_server_partition;
const FaultType fault_server_partition{
    .about = "cuts one server of a cluster off from the others; its clients still reach it",
    .cause = "server_partition",
    .needs = {Capability::cluster_links},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ServerPartition); },
};

}  // namespace holdfast
