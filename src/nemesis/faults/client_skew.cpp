// Moves the wall clock of clients by `step_ms`, forwards or (negative) back. The clock is the one that the client's
// session gives to its lock; the client shows what it reads, which is the proof.
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kMillisecond_ns = 1'000'000;
constexpr std::int64_t kFarthest_ms = 10LL * 365 * 24 * 3600 * 1000;

class ClientSkew : public Fault {
 public:
  explicit ClientSkew(std::int64_t step_ms) : step_ns_(step_ms * kMillisecond_ns) {}

  void act(World& world, const Victims& victims) override { set(world, victims, step_ns_); }
  std::optional<std::string> acted(World& world, const Victims& victims) override {
    if (!seen(world, victims, step_ns_)) return std::nullopt;
    return "clock read back " + std::to_string(step_ns_ / kMillisecond_ns) + " ms off";
  }
  void heal(World& world, const Victims& victims) override { set(world, victims, 0); }
  std::optional<std::string> healed(World& world, const Victims& victims) override {
    Victims living;  // who was killed meanwhile has no clock that could be wrong
    for (const auto client : victims) {
      const char state = world.process_state(client);
      if (state != 'Z' && state != 'X') living.push_back(client);
    }
    if (!seen(world, living, 0)) return std::nullopt;
    return living.empty() ? "its client is gone" : "clock read back right";
  }

 private:
  static void set(World& world, const Victims& victims, std::int64_t offset_ns) {
    for (const auto client : victims) world.set_clock_offset(client, offset_ns);
  }
  static bool seen(World& world, const Victims& victims, std::int64_t offset_ns) {
    for (const auto client : victims) {
      if (world.clock_offset_seen(client) != offset_ns) return false;
    }
    return true;
  }

  std::int64_t step_ns_;
};

}  // namespace

extern const FaultType fault_client_skew;
const FaultType fault_client_skew{
    .about = "moves the client's wall clock by step_ms",
    .cause = "client_skew",
    .settings = R"({"properties": {"step_ms": {"type": "integer", "minimum": -315360000000, "maximum": 315360000000,
      "description": "how far ahead (or, negative, behind) the wall clock is"}}, "required": ["step_ms"]})",
    .make =
        [](ObjectReader& settings) {
          const auto step_ms = settings.required("step_ms", settings.integer("step_ms", -kFarthest_ms, kFarthest_ms));
          return std::unique_ptr<Fault>(new ClientSkew(step_ms));
        },
};

}  // namespace holdfast
