// The server ends the client's session (KILL CONNECTION), as an administrator or an idle time-out does. Proved by the
// server's list of sessions.
#include "artifact/error.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class ConnectionKill : public Fault {
 public:
  void act(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      const std::uint64_t connection = world.connection(client);
      if (connection == 0 || !world.connection_alive(connection)) {
        throw HarnessError("client " + std::to_string(client) + " has no session that could be ended");
      }
      world.end_connection(connection);
      ended_.push_back(connection);
    }
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    if (ended_.size() != victims.size()) return std::nullopt;
    for (const auto connection : ended_) {
      if (world.connection_alive(connection)) return std::nullopt;
    }
    return "session ended by the server";
  }

  void heal(World&, const Victims&) override {}  // a moment, not a time: the client connects anew by itself
  std::optional<std::string> healed(World&, const Victims&) override { return "over"; }
  bool lasts() const override { return false; }

 private:
  std::vector<std::uint64_t> ended_;
};

}  // namespace

extern const FaultType fault_connection_kill;
const FaultType fault_connection_kill{
    .about = "the server ends the client's session",
    .cause = "session_lost",
    .ends_itself = true,
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ConnectionKill); },
};

}  // namespace holdfast
