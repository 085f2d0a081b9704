// A fault that does the same to each of its victims. The file in faults/ says only what is done to one client, and how
// it shows there; it is in force, or healed, once it shows with all of them.
//
//   class Pause : public ClientFault {
//     void begin(World& world, std::uint32_t client) override { world.signal(client, SIGSTOP); }
//     bool begun(World& world, std::uint32_t client) override { return world.process_state(client) == 'T'; }
//     ...
#pragma once

#include <algorithm>

#include "nemesis/fault.hpp"

namespace holdfast {

class ClientFault : public Fault {
 public:
  void act(World& world, const Victims& victims) final {
    for (const auto client : victims) begin(world, client);
  }
  std::optional<std::string> acted(World& world, const Victims& victims) final {
    const bool all = std::all_of(victims.begin(), victims.end(), [&](auto client) { return begun(world, client); });
    return all ? std::optional(in_force()) : std::nullopt;
  }
  void heal(World& world, const Victims& victims) final {
    for (const auto client : victims) end(world, client);
  }
  std::optional<std::string> healed(World& world, const Victims& victims) final {
    bool some = false;
    for (const auto client : victims) {
      if (gone(world, client)) continue;  // killed meanwhile: there is nothing left to heal
      if (!ended(world, client)) return std::nullopt;
      some = true;
    }
    return some ? over() : "its client is gone";
  }

 private:
  static bool gone(const World& world, std::uint32_t client) {
    const char state = world.process_state(client);
    return state == 'Z' || state == 'X';
  }
  virtual void begin(World& world, std::uint32_t client) = 0;
  virtual bool begun(World& world, std::uint32_t client) = 0;
  virtual std::string in_force() const = 0;  // what was measured, for people
  virtual void end(World& world, std::uint32_t client) = 0;
  virtual bool ended(World& world, std::uint32_t client) = 0;
  virtual std::string over() const = 0;
};

}  // namespace holdfast
