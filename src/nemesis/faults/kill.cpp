// Ends a client process at once (SIGKILL) and, to heal, starts a new one in its place: same node, same address, another
// process and another owner. Proved by the state of the process, and by the new client's being ready.
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

// A process starts, and connects. An adapter has half a minute for it: one in Java needs more than 10 s of that on a
// busy machine.
constexpr std::int64_t kReplacementStart_ms = 40'000;

class Kill : public Fault {
 public:
  void act(World& world, const Victims& victims) override {
    for (const auto client : victims) world.use<ClientProcesses>().kill(client);
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      if (!world.candidates().gone(client)) return std::nullopt;
    }
    return "killed, gone";
  }

  Look look(World& world, const Victims& victims, bool /*slowly*/) override {
    return acted(world, victims) && replacements_.empty() ? Look::in_force : Look::over;
  }

  void heal(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      if (const auto next = world.use<SpareClients>().replace(client)) replacements_.push_back(*next);
    }
  }

  std::int64_t recovery_ms() const override { return kReplacementStart_ms; }

  std::optional<std::string> healed(World& world, const Victims& victims) override {
    if (replacements_.size() != victims.size()) return std::nullopt;
    for (const auto client : replacements_) {
      if (!world.use<SpareClients>().ready(client)) return std::nullopt;
    }
    return "replaced";
  }

 private:
  Victims replacements_;
};

}  // namespace

extern const FaultType fault_kill;
const FaultType fault_kill{
    .about = "kills the client process (kill -9); a new one takes its place after for_ms",
    .cause = "",  // a lock that lets somebody in while a dead client's lease runs is at fault
    .needs = {Capability::client_processes, Capability::spare_clients},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new Kill); },
};

}  // namespace holdfast
