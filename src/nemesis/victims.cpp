#include "nemesis/victims.hpp"

#include <cstdlib>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

Victims server_victim(const World& world, const FaultSpec& spec) {
  const auto server = server_of(spec);
  if (server && *server < world.servers()) return {*server};
  throw BadInput("target '" + spec.target + "': there is no such server");
}

bool gone(const World& world, std::uint32_t client) {
  const char state = world.process_state(client);
  return state == 'X' || state == 'Z';
}

}  // namespace

// A fault of servers strikes whoever comes.
std::string whose_arrival(const FaultSpec& spec) {
  const bool some = spec.target == "holder" || spec.target == "waiter";
  return some && !strikes_servers(spec) ? spec.target : "";
}

// Whom an earlier fault has killed no other can strike.
Victims pick_victims(World& world, const FaultSpec& spec, std::optional<std::uint32_t> arrived) {
  if (strikes_servers(spec)) return server_victim(world, spec);
  if (spec.target == "everyone") {
    Victims all;
    for (std::uint32_t c = 0; c < world.clients(); ++c) {
      if (!gone(world, c)) all.push_back(c);
    }
    return all;
  }
  if (spec.target.rfind("client:", 0) == 0) {
    const auto client = static_cast<std::uint32_t>(std::strtoul(spec.target.c_str() + 7, nullptr, 10));
    if (client >= world.clients()) throw BadInput("target '" + spec.target + "': there is no such client");
    if (gone(world, client)) throw HarnessError("client " + std::to_string(client) + " is gone already");
    return {client};
  }
  if (arrived) return {*arrived};
  const std::string target = spec.target.empty() ? "holder" : spec.target;
  if (target != "holder" && target != "waiter") {
    throw BadInput(unknown_word("target", target, {"holder", "waiter", "everyone", "client:N"}));
  }
  const Victims some = target == "holder" ? world.holders() : world.waiters();
  return some.empty() ? Victims{} : Victims{some.front()};
}

}  // namespace holdfast
