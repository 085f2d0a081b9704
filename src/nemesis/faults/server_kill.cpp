// Ends a server's process at once (SIGKILL) and, to heal, starts another on the same data after for_ms. All sessions
// end; what was acknowledged is kept or lost as the server's settings have it (a kill is no power failure: what the
// process had handed to the kernel stays). Proved by the process, which is gone, and by a probe that is refused; healed
// when another process answers. A row of ours, committed just before the kill, tells whether acknowledged rows were
// kept: one that had to be kept and is gone makes the trial an error. The cause is `session_lost`, or
// `server_lost_state` where the server's settings let it forget what it acknowledged.
#include "artifact/error.hpp"
#include "nemesis/fault.hpp"
#include "nemesis/server_capabilities.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kRestart_ms = 20'000;

class ServerKill : public Fault {
 public:
  void act(World& world, const Victims& servers) override {
    auto& processes = world.use<ServerProcesses>();
    for (const auto server : servers) {
      killed_.push_back(processes.number(server));
      world.use<ServerAdministration>().leave_canary(server);
      processes.kill(server);
    }
  }

  std::optional<std::string> acted(World& world, const Victims& servers) override {
    if (killed_.size() != servers.size()) return std::nullopt;
    const auto& processes = world.use<ServerProcesses>();
    for (const auto server : servers) {
      if (processes.state(server) != ProcessState::gone || processes.answers(server)) return std::nullopt;
    }
    return "server killed, gone, probe refused";
  }

  std::int64_t look_every_ms() const override { return kAskEvery_ms; }

  void heal(World& world, const Victims& servers) override {
    for (const auto server : servers) world.use<ServerProcesses>().restart(server);
  }

  std::optional<std::string> healed(World& world, const Victims& servers) override {
    const auto& processes = world.use<ServerProcesses>();
    const auto& administration = world.use<ServerAdministration>();
    bool kept = true;
    for (std::size_t i = 0; i < servers.size(); ++i) {
      if (i >= killed_.size() || processes.number(servers[i]) == killed_[i]) return std::nullopt;
      if (!processes.answers(servers[i])) return std::nullopt;
      const auto canary = administration.canary_kept(servers[i]);
      if (!canary) return std::nullopt;
      if (!*canary) look_at(administration.durability(servers[i]));
      kept = kept && *canary;
    }
    return std::string("another process answers, a row acknowledged just before was ") + (kept ? "kept" : "lost");
  }

  std::string cause(World& world, const std::string& of_type) override {
    return world.use<ServerAdministration>().durability(0) == Durability::may_be_lost ? "server_lost_state" : of_type;
  }

  std::int64_t recovery_ms() const override { return kRestart_ms; }

 private:
  static void look_at(Durability promised) {
    const std::string lost =
        "a row that the server had acknowledged was lost, though its settings say that it keeps it";
    if (promised == Durability::kept) throw HarnessError(lost);
    // Redis with appendfsync everysec: while a sync of the log is under way, writing to it is put off, up to two
    // seconds.
    if (promised == Durability::kept_unless_busy)
      throw HarnessError(lost + " unless the disk is busy; remedy: fewer trials side by side (--jobs)");
  }

  std::vector<std::int64_t> killed_;  // process numbers
};

}  // namespace

extern const FaultType fault_server_kill;
const FaultType fault_server_kill{
    .about = "kills the lock service's server (kill -9); another starts on the same data after for_ms",
    .cause = "session_lost",
    .needs = {Capability::server_processes, Capability::server_administration},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ServerKill); },
};

}  // namespace holdfast
