// Makes all clocks of a client, including the monotonic one, run too fast (or, negative, too slow) by `percent`. Proved
// by the client, which shows its clocks' offset.
#include <cstdlib>

#include "artifact/units.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/client_fault.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kSeen_ns = 1'000'000;  // far more than the time between two readings

class ClockDrift : public ClientFault {
 public:
  explicit ClockDrift(std::int64_t percent) : percent_(percent) {}

 private:
  void begin(World& world, std::uint32_t client) override {
    world.use<ClientDrift>().set_drift(client, percent_ * kPartsPerPercent);
  }
  bool begun(World& world, std::uint32_t client) override {
    const auto seen_ns = world.use<ClientDrift>().drift_seen_ns(client);
    return seen_ns && (percent_ > 0 ? *seen_ns >= kSeen_ns : *seen_ns <= -kSeen_ns);
  }
  Look still(World& world, std::uint32_t client) override { return shown(world, client, begun(world, client)); }
  std::string in_force() const override {
    return "clocks run " + std::to_string(std::abs(percent_)) + " % too " + (percent_ > 0 ? "fast" : "slow");
  }
  void end(World& world, std::uint32_t client) override { world.use<ClientDrift>().set_drift(client, 0); }
  bool ended(World& world, std::uint32_t client) override {
    return world.use<ClientDrift>().drift_seen_ns(client) == 0;
  }
  std::string over() const override { return "clocks run right"; }

  std::int64_t percent_;
};

}  // namespace

extern const FaultType fault_clock_drift;
const FaultType fault_clock_drift{
    .about = "makes all clocks of the client run too fast or too slow (percent)",
    .cause = "clock_drift",
    .settings = R"({"properties": {"percent": {"type": "integer", "minimum": -99, "maximum": 10000, "not": {"const": 0},
      "description": "error of the clocks' speed: too fast, or too slow if negative"}}, "required": ["percent"]})",
    .example = R"({"at": {"phase": "granted"}, "for_ms": 300, "percent": 100})",
    .needs = {Capability::client_drift},
    .make =
        [](ObjectReader& settings) {
          const auto percent = settings.required("percent", settings.integer("percent", -99, 10'000));
          if (percent == 0) settings.node("percent")->refuse("must not be 0");
          return std::unique_ptr<Fault>(new ClockDrift(percent));
        },
};

}  // namespace holdfast
