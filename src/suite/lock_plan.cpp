#include "suite/lock_plan.hpp"

#include <algorithm>

#include "lock/adapter_locks.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

std::vector<std::int64_t> leases_of(const Load& load) {
  return load.leases_ms.empty() ? std::vector<std::int64_t>{load.lease_ms} : load.leases_ms;
}

std::vector<std::int64_t> promised(const LockType& type, std::vector<std::int64_t> leases_ms) {
  for (auto& lease_ms : leases_ms) lease_ms = promised_lease_ms(type, lease_ms);
  return leases_ms;
}

std::string list_of(const std::vector<std::int64_t>& leases_ms) {
  std::string out;
  for (const auto lease_ms : leases_ms) out += (out.empty() ? "" : ", ") + std::to_string(lease_ms);
  return out + " ms";
}

}  // namespace

Plan fitted_to_lock(Plan plan) {
  const std::string name = parse_lock_ref(plan.lock).lock;
  const LockType& type = lock_type(name);
  plan.adapter = stored_adapter(name);
  if (plan.load.isolation.empty()) plan.load.isolation = {type.isolation};
  if (plan.load.tick_ms == 0 || type.tick_ms == 0) plan.load.tick_ms = type.tick_ms;
  const std::vector<std::int64_t> asked = leases_of(plan.load);
  const std::vector<std::int64_t> given = promised(type, asked);
  if (given == asked) return plan;
  plan.load.asked_leases_ms = asked;
  plan.load.lease_ms = *std::max_element(given.begin(), given.end());
  if (!plan.load.leases_ms.empty()) plan.load.leases_ms = given;
  return plan;
}

std::string told_rounding(const std::string& lock, const Load& asked) {
  const std::string name = parse_lock_ref(lock).lock;
  const std::vector<std::int64_t> leases = leases_of(asked);
  const std::vector<std::int64_t> given = promised(*find_entry(locks(), name), leases);
  if (given == leases) return "";
  return "A lease of " + list_of(leases) + " was asked for, and " + list_of(given) + " promised: " + name +
         " takes whole seconds.";
}

}  // namespace holdfast
