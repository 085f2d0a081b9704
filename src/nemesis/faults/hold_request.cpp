// A client's request is held in flight and arrives late, whether the client still waits for it or not. Its injection
// point is a request, `"when": "before"`. Proved by the relay, which holds the request and sends it at the end of the
// fault.
//
// `arrives`: the effect of a late request depends on whether the lock is free when it arrives. With `free` it is held
// slightly longer until no other client holds a key, with `held` until one does.
#include <algorithm>
#include <utility>

#include "artifact/poll_until.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kLonger_ms = 2'000;  // maximum wait for that state of the lock

class HoldRequest : public Fault {
 public:
  explicit HoldRequest(std::string arrives) : arrives_(std::move(arrives)) {}

  void act(World&, const Victims&) override {}  // done by the point's action
  std::optional<std::string> acted(World& world, const Victims& victims) override {
    if (!world.use<ClientRelay>().keeps(victims.front())) return std::nullopt;
    return "a request is held in transit";
  }
  void heal(World& world, const Victims& victims) override {
    const auto is_time = [&] { return is_so(world, victims.front()); };
    const std::int64_t until_ns = world.time().now_ns() + kLonger_ms * 1'000'000;
    const bool so = poll_until(is_time, 1, [&] { return world.time().now_ns() >= until_ns; });
    world.use<ClientRelay>().send_kept(victims.front());
    if (!arrives_.empty()) seen_ = so ? ", while the lock was " + arrives_ : ", and the lock was never " + arrives_;
  }
  std::optional<std::string> healed(World& world, const Victims& victims) override {
    const std::string evidence = world.use<ClientRelay>().evidence(victims.front(), PointAction::hold_request);
    return evidence.empty() ? std::nullopt : std::optional(evidence + seen_);
  }
  PointAction point_action() const override { return PointAction::hold_request; }

 private:
  bool is_so(const World& world, std::uint32_t victim) const {
    if (arrives_.empty()) return true;
    const Victims holders = world.candidates().holders();
    const bool held = std::any_of(holders.begin(), holders.end(), [&](auto client) { return client != victim; });
    return held == (arrives_ == "held");
  }

  const std::string arrives_;
  std::string seen_;
};

}  // namespace

extern const FaultType fault_hold_request;
const FaultType fault_hold_request{
    .about = "holds a request in transit so that it arrives late (at: a request, when before)",
    .cause = "late_request",
    .settings = R"({"properties": {"arrives": {"enum": ["free", "held"],
      "description": "deliver it when no other client holds the key, or when one does; waits 2 s more at most"}},
      "required": []})",
    .example = R"({"at": {"request": 1, "of": "release"}, "for_ms": 300})",
    .needs = {Capability::client_relay},
    .make =
        [](ObjectReader& settings) {
          return std::unique_ptr<Fault>(new HoldRequest(settings.choice("arrives", {"free", "held"}).value_or("")));
        },
};

}  // namespace holdfast
