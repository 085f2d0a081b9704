// Stops client processes (SIGSTOP) and lets them go on (SIGCONT), as a long garbage collection, a suspended virtual
// machine or a busy host does. Proved by the state of the process.
#include <csignal>

#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class Pause : public Fault {
 public:
  void act(World& world, const Victims& victims) override {
    for (const auto client : victims) world.signal(client, SIGSTOP);
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      if (world.process_state(client) != 'T') return std::nullopt;
    }
    return "stopped";
  }

  void heal(World& world, const Victims& victims) override {
    for (const auto client : victims) world.signal(client, SIGCONT);
  }

  std::optional<std::string> healed(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      if (world.process_state(client) == 'T') return std::nullopt;
    }
    return "running";
  }
};

}  // namespace

extern const FaultType fault_pause;
const FaultType fault_pause{
    .about = "stops the process for a time (SIGSTOP)",
    .cause = "",  // time that passes is no excuse: a lock that overlaps inside its validity is at fault
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new Pause); },
};

}  // namespace holdfast
