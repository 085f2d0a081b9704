// Cuts one server of a cluster off from the others: packets between them are dropped silently, while its clients and
// all other nodes still reach it. Such a server is a minority of one. With `with_clients` the cut also divides the
// clients: those whose first server it is (`connects`) are on its side and reach no other, and the rest do not reach
// it. Proved by an unanswered probe from its node to the others, and by dropped packets; healed when every server
// reports that it sees all others again and accepts statements. The view of the server that was cut off at the end is
// also reported: a cut shorter than the cluster's time-outs is not noticed.
#include "artifact/error.hpp"
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

// On a fully loaded machine a cluster took twenty seconds to agree on its members.
constexpr std::int64_t kRejoin_ms = 45'000;

class ServerPartition : public Fault {
 public:
  explicit ServerPartition(bool with_clients) : with_clients_(with_clients) {}

  void act(World& world, const Victims& servers) override {
    auto& links = world.use<ClusterLinks>();
    for (const auto server : servers) with_clients_ ? links.cut_off_with_clients(server) : links.cut_off(server);
  }

  std::optional<std::string> acted(World& world, const Victims& servers) override {
    const auto& links = world.use<ClusterLinks>();
    for (const auto server : servers) {
      if (links.reaches_others(server) || links.packets_dropped(server) == 0) return std::nullopt;
    }
    return std::string("server ") + (with_clients_ ? "and its clients " : "") +
           "cut off from the others, probe unanswered";
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
  bool with_clients_;
  std::string seen_;
  std::int64_t dropped_ = 0;
};

}  // namespace

extern const FaultType fault_server_partition;
const FaultType fault_server_partition{
    .about = "cuts one server of a cluster off from the others; its clients still reach it",
    .cause = "server_partition",
    .settings = R"({"properties": {"with_clients": {"type": "boolean",
      "description": "cut off, with the server, the clients that use it first; no other client reaches it"}},
      "required": []})",
    .needs = {Capability::cluster_links},
    .make =
        [](ObjectReader& settings) {
          return std::unique_ptr<Fault>(new ServerPartition(settings.boolean("with_clients").value_or(false)));
        },
};

}  // namespace holdfast
