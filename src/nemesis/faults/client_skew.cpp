// Moves the wall clock of clients by `step_ms`, forwards or (negative) backwards. This is the clock that the client's
// session gives to its lock; the client's reading is the proof.
#include "artifact/units.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/client_fault.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kFarthestSkew_ms = 10LL * 365 * 24 * 3600 * 1000;

class ClientSkew : public ClientFault {
 public:
  explicit ClientSkew(std::int64_t step_ms) : step_ms_(step_ms) {}

 private:
  void begin(World& world, std::uint32_t client) override { world.use<ClientClocks>().set_offset(client, step_ns()); }
  bool begun(World& world, std::uint32_t client) override {
    return world.use<ClientClocks>().offset_seen_ns(client) == step_ns();
  }
  Look still(World& world, std::uint32_t client) override { return shown(world, client, begun(world, client)); }
  std::string in_force() const override { return "clock measured " + std::to_string(step_ms_) + " ms off"; }
  void end(World& world, std::uint32_t client) override { world.use<ClientClocks>().set_offset(client, 0); }
  bool ended(World& world, std::uint32_t client) override {
    return world.use<ClientClocks>().offset_seen_ns(client) == 0;
  }
  std::string over() const override { return "clock right again"; }

  std::int64_t step_ns() const { return step_ms_ * kMillisecond_ns; }

  std::int64_t step_ms_;
};

}  // namespace

extern const FaultType fault_client_skew;
const FaultType fault_client_skew{
    .about = "moves the client's wall clock by step_ms",
    .cause = "client_skew",
    .settings =
        R"({"properties": {"step_ms": {"type": "integer", "minimum": -315360000000, "maximum": 315360000000,
      "not": {"const": 0},
      "description": "offset of the wall clock: ahead, or behind if negative"}}, "required": ["step_ms"]})",
    .example = R"({"at": {"phase": "granted"}, "for_ms": 300, "step_ms": 3000})",
    .needs = {Capability::client_clocks},
    .make =
        [](ObjectReader& settings) {
          const auto step_ms =
              settings.required("step_ms", settings.integer("step_ms", -kFarthestSkew_ms, kFarthestSkew_ms));
          if (step_ms == 0) settings.node("step_ms")->refuse("must not be 0");
          return std::unique_ptr<Fault>(new ClientSkew(step_ms));
        },
};

}  // namespace holdfast
