// The server ends the client's session (KILL CONNECTION), or those of all its threads, as an administrator or an idle
// time-out would. Proved by the server's list of sessions.
#include "artifact/error.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class ConnectionKill : public Fault {
 public:
  void act(World& world, const Victims& victims) override {
    auto& sessions = world.use<ClientSessions>();
    for (const auto client : victims) {
      bool any = false;
      for (const std::uint64_t session : sessions.of(client)) {
        if (!sessions.alive(session)) continue;
        sessions.end(session);
        ended_.push_back(session);
        any = true;
      }
      if (!any) throw HarnessError("client " + std::to_string(client) + " has no session that could be ended");
      ++struck_;
    }
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    if (struck_ != victims.size()) return std::nullopt;
    for (const auto session : ended_) {
      if (world.use<ClientSessions>().alive(session)) return std::nullopt;
    }
    return "session ended by the server";
  }

  void heal(World&, const Victims&) override {}  // a single event: the client reconnects by itself
  std::optional<std::string> healed(World&, const Victims&) override { return "over"; }
  bool lasts() const override { return false; }

 private:
  std::vector<std::uint64_t> ended_;
  std::size_t struck_ = 0;
};

}  // namespace

extern const FaultType fault_connection_kill;
const FaultType fault_connection_kill{
    .about = "the server ends the client's session",
    .cause = "session_lost",
    .needs = {Capability::client_sessions},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ConnectionKill); },
};

}  // namespace holdfast
