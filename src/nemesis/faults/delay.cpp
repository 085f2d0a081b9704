// Delays every packet sent by the client's node by `delay_ms`, with the kernel's netem if available. Proved by the time
// of a probe from that node.
#include "artifact/units.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/client_fault.hpp"

namespace holdfast {
namespace {

class Delay : public ClientFault {
 public:
  explicit Delay(std::int64_t delay_ms) : delay_ms_(delay_ms) {}

 private:
  void begin(World& world, std::uint32_t client) override { world.use<ClientDelay>().delay(client, delay_ms_); }
  bool begun(World& world, std::uint32_t client) override {
    return world.use<ClientDelay>().round_trip_ns(client) >= delay_ms_ * kMillisecond_ns;
  }
  Look still(World& world, std::uint32_t client) override {
    const std::int64_t took_ns = world.use<ClientDelay>().round_trip_ns(client);
    if (took_ns < 0) return Look::unclear;  // no answer: another fault may prevent it
    return took_ns >= delay_ms_ * kMillisecond_ns ? Look::in_force : Look::over;
  }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }
  std::string in_force() const override { return "delayed by " + std::to_string(delay_ms_) + " ms"; }
  void end(World& world, std::uint32_t client) override { world.use<ClientDelay>().delay(client, 0); }
  bool ended(World& world, std::uint32_t client) override {
    const std::int64_t took_ns = world.use<ClientDelay>().round_trip_ns(client);
    return took_ns >= 0 && took_ns < delay_ms_ * kMillisecond_ns;
  }
  std::string over() const override { return "no longer delayed"; }

  std::int64_t delay_ms_;
};

}  // namespace

extern const FaultType fault_delay;
const FaultType fault_delay{
    .about = "delays the packets that the client's node sends (delay_ms); needs the kernel's netem",
    .cause = "",
    .settings = R"({"properties": {"delay_ms": {"type": "integer", "minimum": 1, "maximum": 60000,
      "description": "delay of each packet"}}, "required": ["delay_ms"]})",
    .example = R"({"at": {"phase": "granted"}, "for_ms": 300, "delay_ms": 20})",
    .needs = {Capability::client_delay},
    .make =
        [](ObjectReader& settings) {
          const auto delay_ms = settings.required("delay_ms", settings.integer("delay_ms", 1, 60'000));
          return std::unique_ptr<Fault>(new Delay(delay_ms));
        },
};

}  // namespace holdfast
