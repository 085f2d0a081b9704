// A fault that ends a server's process and, to heal, starts another on the same data after for_ms. What the server had
// acknowledged is kept or lost as its settings have it: a row of ours, committed just before the end, tells which.
//
//   class Burn : public ServerEnd {
//     void end(World& world, std::uint32_t server) override { ... }        // it is killed already
//     Durability promised(World& world, std::uint32_t server) const override { ... }
//   };
//
// Proved by the process, which is gone, and by a probe that is refused; healed when another process answers. A row that
// had to be kept and is gone makes the trial an error. The cause of what follows is the type's own, or
// `server_lost_state` where the server's settings let it forget what it acknowledged.
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
  virtual void end(World& /*world*/, std::uint32_t /*server*/) {}  // what is done besides the kill, after it
  // What else must be seen of a server that is gone, for people; nothing while it is not.
  virtual std::optional<std::string> seen(World& world, std::uint32_t server) const = 0;
  virtual Durability promised(World& world, std::uint32_t server) const = 0;

 private:
  static constexpr std::int64_t kRestart_ms = 20'000;

  std::vector<std::int64_t> ended_;  // process numbers
};

}  // namespace holdfast
