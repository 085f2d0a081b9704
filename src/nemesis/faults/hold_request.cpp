// A request of a client is kept on its way and arrives late, whether the client still waits for it or not. Its moment
// is a request, `"when": "before"`. Proved by the relay, which has the request and sends it when the fault is over.
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class HoldRequest : public Fault {
 public:
  void act(World&, const Victims&) override {}  // the order does it
  std::optional<std::string> acted(World& world, const Victims& victims) override {
    if (!world.use<ClientRelay>().keeps(victims.front())) return std::nullopt;
    return "a request is kept on its way";
  }
  void heal(World& world, const Victims& victims) override { world.use<ClientRelay>().send_kept(victims.front()); }
  std::optional<std::string> healed(World& world, const Victims& victims) override {
    const std::string evidence = world.use<ClientRelay>().evidence(victims.front(), Release::hold_request);
    return evidence.empty() ? std::nullopt : std::optional(evidence);
  }
  Release order() const override { return Release::hold_request; }
};

}  // namespace

extern const FaultType fault_hold_request;
const FaultType fault_hold_request{
    .about = "a request is kept on its way and arrives late (moment: a request, when before)",
    .cause = "late_request",
    .example = R"({"at": {"request": 1, "of": "release"}, "for_ms": 300})",
    .needs = {Capability::client_relay},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new HoldRequest); },
};

}  // namespace holdfast
