#include "suite/target_limits.hpp"

#include "lock/lock.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

constexpr const char* kEnd = ": not on a --target";

bool has_own_settings(const ServerSettings& server) {
  const ServerSettings usual;
  return server.innodb_flush_log_at_trx_commit != usual.innodb_flush_log_at_trx_commit ||
         server.explicit_defaults_for_timestamp != usual.explicit_defaults_for_timestamp ||
         server.redis_persistence != usual.redis_persistence || server.topology != usual.topology;
}

}  // namespace

std::string not_on_target(const Plan& plan, const Target& target) {
  const bool redis = find_entry(locks(), parse_lock_ref(plan.lock).lock)->store == StoreKind::redis;
  if (redis != (target.kind == StoreKind::redis)) {
    return std::string("this lock needs a ") + (redis ? "redis://" : "mysql://") + " target";
  }
  if (redis && !plan.load.key_texts.empty()) {
    return std::string("the scenario names its keys itself, and on a Redis target those of a killed run would stay") +
           kEnd;
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
