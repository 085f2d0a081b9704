#include "nemesis/server_end.hpp"

#include "artifact/error.hpp"

namespace holdfast {
namespace {

void look_at(Durability promised) {
  const std::string lost = "a row that the server had acknowledged was lost, although its settings promise to keep it";
  if (promised == Durability::kept) throw HarnessError(lost);
  // Redis with appendfsync everysec: while a sync of the log is in progress, writing to it is delayed by up to two
  // seconds.
  if (promised == Durability::kept_unless_busy)
    throw HarnessError(lost + " unless the disk is busy; remedy: run fewer trials in parallel (--jobs)");
}

}  // namespace

void ServerEnd::act(World& world, const Victims& servers) {
  auto& processes = world.use<ServerProcesses>();
  for (const auto server : servers) {
    ended_.push_back(processes.number(server));
    world.use<ServerAdministration>().leave_canary(server);
    processes.kill(server);
    end(world, server);
  }
}

std::optional<std::string> ServerEnd::acted(World& world, const Victims& servers) {
  if (ended_.size() != servers.size()) return std::nullopt;
  const auto& processes = world.use<ServerProcesses>();
  std::string out;
  for (const auto server : servers) {
    if (processes.state(server) != ProcessState::gone || processes.answers(server)) return std::nullopt;
    const auto more = seen(world, server);
    if (!more) return std::nullopt;
    out = *more;
  }
  return out;
}

void ServerEnd::heal(World& world, const Victims& servers) {
  for (const auto server : servers) world.use<ServerProcesses>().restart(server);
}

std::optional<std::string> ServerEnd::healed(World& world, const Victims& servers) {
  const auto& processes = world.use<ServerProcesses>();
  bool kept = true;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    if (i >= ended_.size() || processes.number(servers[i]) == ended_[i]) return std::nullopt;
    if (!processes.answers(servers[i])) return std::nullopt;
    const auto canary = world.use<ServerAdministration>().canary_kept(servers[i]);
    if (!canary) return std::nullopt;
    if (!*canary) look_at(promised(world, servers[i]));
    kept = kept && *canary;
  }
  return std::string("another process answers, a row acknowledged just before was ") + (kept ? "kept" : "lost");
}

std::string ServerEnd::cause(World& world, const std::string& of_type) {
  return promised(world, 0) == Durability::may_be_lost ? "server_lost_state" : of_type;
}

}  // namespace holdfast
