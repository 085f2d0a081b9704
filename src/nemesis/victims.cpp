#include "nemesis/victims.hpp"

#include <cstdlib>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

Victims server_victim(const Candidates& all, const FaultSpec& spec) {
  const auto server = server_of(spec);
  if (server && *server < all.servers()) return {*server};
  throw BadInput("target '" + spec.target + "': there is no such server");
}

}  // namespace

// A fault of servers strikes whoever comes.
std::string whose_arrival(const FaultSpec& spec) {
  const bool some = spec.target == "holder" || spec.target == "waiter";
  return some && !strikes_servers(spec) ? spec.target : "";
}

// Whom an earlier fault has killed no other can strike.
Victims pick_victims(const Candidates& all, const FaultSpec& spec, std::optional<std::uint32_t> arrived) {
  if (strikes_servers(spec)) return server_victim(all, spec);
  if (spec.target == "everyone") {
    Victims out;
    for (std::uint32_t c = 0; c < all.clients(); ++c) {
      if (!all.gone(c)) out.push_back(c);
    }
    return out;
  }
  if (spec.target.rfind("client:", 0) == 0) {
    const auto client = static_cast<std::uint32_t>(std::strtoul(spec.target.c_str() + 7, nullptr, 10));
    if (client >= all.clients()) throw BadInput("target '" + spec.target + "': there is no such client");
    if (all.gone(client)) throw HarnessError("client " + std::to_string(client) + " is gone already");
    return {client};
  }
  if (arrived) return {*arrived};
  const std::string target = spec.target.empty() ? "holder" : spec.target;
  if (target != "holder" && target != "waiter") {
    throw BadInput(unknown_word("target", target, {"holder", "waiter", "everyone", "client:N"}));
  }
  const Victims some = target == "holder" ? all.holders() : all.waiters();
  return some.empty() ? Victims{} : Victims{some.front()};
}

}  // namespace holdfast
