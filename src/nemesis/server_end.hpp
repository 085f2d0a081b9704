// A fault that ends a server's process and, to heal, starts another on the same data after for_ms. Whether acknowledged
// data survives depends on the server's settings: a row committed just before the end shows it.
//
//   class Burn : public ServerEnd {
//   void end(World& world, std::uint32_t server) override { ... }        // called after the kill
//     Durability promised(World& world, std::uint32_t server) const override { ... }
//   };
//
// Proved by the ended process and a refused probe; healed when another process answers. If a row that should have
// survived is lost, the trial is an error. The cause of violations is the type's own, or `server_lost_state` if the
// settings allow the server to lose acknowledged data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {

class ServerEnd : public Fault {
 public:
  void act(World& world, const Victims& servers) override;
  std::optional<std::string> acted(World& world, const Victims& servers) override;
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }
  void heal(World& world, const Victims& servers) override;
  std::optional<std::string> healed(World& world, const Victims& servers) override;
  std::string cause(World& world, const std::string& of_type) override;
  std::int64_t recovery_ms() const override { return kRestart_ms; }
  bool lasts_until_healed() const override { return true; }

 protected:
  virtual void end(World& /*world*/, std::uint32_t /*server*/) {}  // further action after the kill
  // Additional evidence for an ended server, as text; empty: not yet seen.
  virtual std::optional<std::string> seen(World& world, std::uint32_t server) const = 0;
  virtual Durability promised(World& world, std::uint32_t server) const = 0;

 private:
  static constexpr std::int64_t kRestart_ms = 20'000;

  std::vector<std::int64_t> ended_;  // process numbers
};

}  // namespace holdfast
