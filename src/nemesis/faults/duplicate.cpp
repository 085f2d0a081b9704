// A request arrives twice, as from a retrying proxy; the client sees only the first reply. Its injection point is a
// request, `"when": "before"`. Proved by the relay, which sent it again and kept the second reply.
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class Duplicate : public Fault {
 public:
  void act(World&, const Victims&) override {}  // done by the point's action
  std::optional<std::string> acted(World& world, const Victims& victims) override {
    const std::string evidence = world.use<ClientRelay>().evidence(victims.front(), PointAction::duplicate);
    return evidence.empty() ? std::nullopt : std::optional(evidence);
  }
  std::int64_t patience_ms() const override { return 2 * kProof_ms; }  // for two replies
  // The second is sent after the first reply, which a server may delay while it waits for the lock.
  bool gives_up(World& world, const Victims& victims) override {
    return world.use<ClientRelay>().gives_up_copy(victims.front());
  }
  void heal(World&, const Victims&) override {}  // a single event
  std::optional<std::string> healed(World&, const Victims&) override { return "over"; }
  PointAction point_action() const override { return PointAction::duplicate; }
  bool lasts() const override { return false; }
};

}  // namespace

extern const FaultType fault_duplicate;
const FaultType fault_duplicate{
    .about = "sends a request twice, like a proxy that retries (at: a request, when before)",
    .cause = "request_twice",
    .example = R"({"at": {"request": 1, "of": "release"}})",
    .needs = {Capability::client_relay},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new Duplicate); },
};

}  // namespace holdfast
