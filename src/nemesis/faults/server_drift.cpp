// Makes a server's wall clock run too fast (or, negative, too slow) by `percent`; healing sets it right. Its monotonic
// clock is never changed. Proved by asking the server for the time, before and after.
#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "artifact/units.hpp"
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

class ServerDrift : public Fault {
 public:
  explicit ServerDrift(std::int64_t percent) : percent_(percent) {}

  std::string unavailable(World& world) override { return world.use<ServerClocks>().why_no_drift(); }

  void act(World& world, const Victims& servers) override {
    for (const auto server : servers) {
      before_.push_back(world.use<ServerClocks>().read(server));
      world.use<ServerClocks>().set_drift(server, percent_ * kPartsPerPercent);
    }
  }

  std::optional<std::string> acted(World& world, const Victims& servers) override {
    if (before_.size() != servers.size()) return std::nullopt;
    for (std::size_t i = 0; i < servers.size(); ++i) {
      const auto now = world.use<ServerClocks>().read(servers[i]);
      if (!now || !before_[i]) return std::nullopt;
      const std::int64_t came_off_ns = now->ahead_ns - before_[i]->ahead_ns;
      const std::int64_t doubt_ns = now->within_ns + before_[i]->within_ns;
      if (percent_ > 0 ? came_off_ns <= doubt_ns : came_off_ns >= -doubt_ns) return std::nullopt;
    }
    return fmt::format("the server's clock runs {} % too {}", std::abs(percent_), percent_ > 0 ? "fast" : "slow");
  }

  // Since the first look the clock's offset must have changed by about as much as the drift implies.
  Look look(World& world, const Victims& servers, bool /*slowly*/) override {
    Look seen = Look::in_force;
    for (const auto server : servers) {
      const auto now = world.use<ServerClocks>().read(server);
      if (!now) return Look::unclear;
      const std::int64_t time_ns = world.time().now_ns();
      const Seen& first = first_.emplace(server, Seen{time_ns, *now}).first->second;
      const std::int64_t planned_ns = (time_ns - first.time_ns) / 100 * percent_;
      const std::int64_t off_by_ns = std::abs(now->ahead_ns - first.clock.ahead_ns - planned_ns);
      const std::int64_t doubt_ns = now->within_ns + first.clock.within_ns;
      if (off_by_ns <= doubt_ns + std::abs(planned_ns) / 4) continue;
      if (doubt_ns < std::abs(planned_ns) / 2) return Look::over;
      seen = Look::unclear;
    }
    return seen;
  }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }

  void heal(World& world, const Victims& servers) override {
    for (const auto server : servers) {
      if (const auto now = world.use<ServerClocks>().read(server)) came_to_ns_ = now->ahead_ns;
      world.use<ServerClocks>().set_drift(server, 0);
      world.use<ServerClocks>().set_offset(server, 0);
    }
  }

  std::optional<std::string> healed(World& world, const Victims& servers) override {
    for (const auto server : servers) {
      const auto now = world.use<ServerClocks>().read(server);
      if (!now || now->ahead_ns > now->within_ns || now->ahead_ns < -now->within_ns) return std::nullopt;
    }
    return "it was off by " + std::to_string(came_to_ns_ / kMillisecond_ns) + " ms and was set right";
  }

 private:
  struct Seen {
    std::int64_t time_ns;
    ClockReading clock;
  };
  std::int64_t percent_;
  std::map<std::uint32_t, Seen> first_;  // by server
  std::vector<std::optional<ClockReading>> before_;
  std::int64_t came_to_ns_ = 0;
};

}  // namespace

extern const FaultType fault_server_drift;
const FaultType fault_server_drift{
    .about = "makes the lock service's wall clock run too fast or too slow (percent)",
    .cause = "server_clock",
    .settings = R"({"properties": {"percent": {"type": "integer", "minimum": -99, "maximum": 10000, "not": {"const": 0},
      "description": "error of the clock's speed: too fast, or too slow if negative"}}, "required": ["percent"]})",
    .example = R"({"at": {"phase": "granted"}, "for_ms": 300, "percent": 100})",
    .needs = {Capability::server_clocks},
    .make =
        [](ObjectReader& settings) {
          const auto percent = settings.required("percent", settings.integer("percent", -99, 10'000));
          if (percent == 0) settings.node("percent")->refuse("must not be 0");
          return std::unique_ptr<Fault>(new ServerDrift(percent));
        },
};

}  // namespace holdfast
