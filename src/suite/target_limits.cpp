#include "suite/target_limits.hpp"

#include "lock/lock.hpp"
#include "nemesis/fault.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr const char* kEnd = ": not on a --target";

bool has_own_settings(const ServerSettings& server) {
  return !server.own.empty() || server.topology != ServerSettings{}.topology;
}

}  // namespace

std::string not_on_target(const Plan& plan, const Target& target) {
  const std::string wanted = find_entry(locks(), parse_lock_ref(plan.lock).lock)->server;
  const ServerType& type = server_type(wanted);
  if (wanted != target.server) return std::string("this lock needs a ") + type.url.scheme + ":// target";
  if (type.names_keys && !plan.load.key_texts.empty()) {
    return std::string("the scenario names its keys itself, and on a ") + type.title +
           " target those of a killed run would stay" + kEnd;
  }
  for (const auto& spec : plan.faults) {
    if (needs_lab(spec)) return spec.fault + " needs a network and a server of holdfast's own" + kEnd;
  }
  if (has_own_settings(plan.server)) return std::string("the scenario sets up the server itself") + kEnd;
  if (plan.load.shared_addresses > 1) {
    return std::string("the scenario is about hosts and their addresses, and all clients are on this machine") + kEnd;
  }
  return "";
}

}  // namespace holdfast
