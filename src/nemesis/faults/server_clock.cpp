// Steps a server's wall clock by `step_ms`, forwards or (negative) backwards. `heal`: `restore` sets it right at the
// end, which is a second step; `keep` leaves it, and the fault is a single event. The monotonic clock is never changed.
// Proved by asking the server for the time.
#include <cstdlib>

#include "artifact/units.hpp"
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kFarthestServerStep_ms = 10LL * 365 * 24 * 3600 * 1000;

class ServerClockStep : public Fault {
 public:
  ServerClockStep(std::int64_t step_ms, bool restore) : step_ns_(step_ms * kMillisecond_ns), restore_(restore) {}

  void act(World& world, const Victims& servers) override { set(world, servers, step_ns_); }
  std::optional<std::string> acted(World& world, const Victims& servers) override {
    const auto ahead_ns = seen(world, servers, step_ns_);
    if (!ahead_ns) return std::nullopt;
    return "the server's clock, when queried, was " +
           std::to_string((*ahead_ns + (*ahead_ns < 0 ? -1 : 1) * kMillisecond_ns / 2) / kMillisecond_ns) + " ms off";
  }
  Look look(World& world, const Victims& servers, bool /*slowly*/) override {
    for (const auto server : servers) {
      const auto reading = world.use<ServerClocks>().read(server);
      if (!reading || reading->within_ns > std::abs(step_ns_) / 4) return Look::unclear;
      if (std::abs(reading->ahead_ns - step_ns_) > reading->within_ns) return Look::over;
    }
    return Look::in_force;
  }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }
  void heal(World& world, const Victims& servers) override {
    if (restore_) set(world, servers, 0);
  }
  std::optional<std::string> healed(World& world, const Victims& servers) override {
    if (!restore_) return "it is not set back";
    if (!seen(world, servers, 0)) return std::nullopt;
    return "set right again";
  }
  bool lasts() const override { return restore_; }

 private:
  static void set(World& world, const Victims& servers, std::int64_t offset_ns) {
    for (const auto server : servers) world.use<ServerClocks>().set_offset(server, offset_ns);
  }

  // A reading that took too long to distinguish the step proves nothing.
  std::optional<std::int64_t> seen(World& world, const Victims& servers, std::int64_t wanted_ns) const {
    std::optional<std::int64_t> ahead_ns;
    for (const auto server : servers) {
      const auto reading = world.use<ServerClocks>().read(server);
      if (!reading || reading->within_ns > std::abs(step_ns_) / 4) return std::nullopt;
      if (std::abs(reading->ahead_ns - wanted_ns) > reading->within_ns) return std::nullopt;
      ahead_ns = reading->ahead_ns;
    }
    return ahead_ns;
  }

  std::int64_t step_ns_;
  bool restore_;
};

}  // namespace

extern const FaultType fault_server_clock;
const FaultType fault_server_clock{
    .about = "steps the lock service's wall clock by step_ms, and sets it back or not (heal)",
    .cause = "server_clock",
    .settings = R"({"properties": {"step_ms": {"type": "integer", "minimum": -315360000000, "maximum": 315360000000,
      "not": {"const": 0}, "description": "step of the clock: ahead, or back if negative"},
      "heal": {"enum": ["restore", "keep"], "description": "restore: set the clock right at the end; keep: do not"}},
      "required": ["step_ms"]})",
    .example = R"({"at": {"phase": "granted"}, "for_ms": 300, "step_ms": 3000})",
    .needs = {Capability::server_clocks},
    .make =
        [](ObjectReader& settings) {
          const auto step_ms = settings.required(
              "step_ms", settings.integer("step_ms", -kFarthestServerStep_ms, kFarthestServerStep_ms));
          if (step_ms == 0) settings.node("step_ms")->refuse("must not be 0");
          const bool restore = settings.choice("heal", {"restore", "keep"}).value_or("restore") == "restore";
          return std::unique_ptr<Fault>(new ServerClockStep(step_ms, restore));
        },
};

}  // namespace holdfast
