// A fault that acts on each of its victims alike. Its file in faults/ defines only the action on one client and its
// evidence; the fault is in force, or healed, when that holds for all victims.
//
//   class Pause : public ClientFault {
// XX
//     ...
#pragma once

#include <algorithm>
#include <map>

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
  Look look(World& world, const Victims& victims, bool /*slowly*/) final {
    Look seen = Look::in_force;
    for (const auto client : victims) {
      const Look one = gone(world, client) ? Look::in_force : still(world, client);
      if (one == Look::over && !gone(world, client)) return Look::over;  // checked again: it may just have been killed
      if (one == Look::unclear) seen = Look::unclear;
    }
    return seen;
  }
  void heal(World& world, const Victims& victims) final {
    for (const auto client : victims) end(world, client);
  }
  std::optional<std::string> healed(World& world, const Victims& victims) final {
    bool some = false;
    for (const auto client : victims) {
      if (gone(world, client)) continue;  // killed meanwhile: nothing to heal
      if (!ended(world, client)) return std::nullopt;
      some = true;
    }
    return some ? over() : "its client no longer exists";
  }

 protected:
  // Evaluates the client's own reading: an interrupted thread may show an older one once.
  Look shown(const World& world, std::uint32_t client, bool right) {
    if (right) {
      wrong_since_ns_.erase(client);
      return Look::in_force;
    }
    const std::int64_t now_ns = world.time().now_ns();
    const std::int64_t since_ns = wrong_since_ns_.emplace(client, now_ns).first->second;
    return now_ns - since_ns < kReadAgain_ns ? Look::unclear : Look::over;
  }

 private:
  static constexpr std::int64_t kReadAgain_ns = 100'000'000;  // clients read their clocks more often than that

  static bool gone(const World& world, std::uint32_t client) { return world.candidates().gone(client); }
  virtual void begin(World& world, std::uint32_t client) = 0;
  virtual bool begun(World& world, std::uint32_t client) = 0;
  virtual std::string in_force() const = 0;  // the measurement, as text
  virtual Look still(World& world, std::uint32_t client) { return begun(world, client) ? Look::in_force : Look::over; }
  virtual void end(World& world, std::uint32_t client) = 0;
  virtual bool ended(World& world, std::uint32_t client) = 0;
  virtual std::string over() const = 0;

  std::map<std::uint32_t, std::int64_t> wrong_since_ns_;
};

}  // namespace holdfast
