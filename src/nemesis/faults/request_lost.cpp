// A request never arrives: it is not executed, and its client loses the connection, as when a host or proxy on the way
// fails. Its injection point is a request, `"when": "before"`. Proved by the relay, which received the request and
// dropped it.
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class RequestLost : public Fault {
 public:
  void act(World&, const Victims&) override {}  // done by the point's action
  std::optional<std::string> acted(World& world, const Victims& victims) override {
    const std::string evidence = world.use<ClientRelay>().evidence(victims.front(), PointAction::lose_request);
    return evidence.empty() ? std::nullopt : std::optional(evidence);
  }
  void heal(World&, const Victims&) override {}  // a single event: the client reconnects by itself
  std::optional<std::string> healed(World&, const Victims&) override { return "over"; }
  PointAction point_action() const override { return PointAction::lose_request; }
  bool lasts() const override { return false; }
};

}  // namespace

extern const FaultType fault_request_lost;
const FaultType fault_request_lost{
    .about = "drops a request and its connection (at: a request, when before)",
    .cause = "request_lost",
    .example = R"({"at": {"request": 1, "of": "release"}})",
    .needs = {Capability::client_relay},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new RequestLost); },
};

}  // namespace holdfast
