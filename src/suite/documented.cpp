#include "suite/documented.hpp"

#include <algorithm>
#include <set>

#include "adapter/manifest.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"
#include "suite/expectation.hpp"

namespace holdfast {
namespace {

using Reasons = std::map<std::string, std::string>;

// Possible cause given by a fault of a server that may lose acknowledged data (nemesis/server_end.hpp).
constexpr const char* kLostState = "server_lost_state";

// Those assumptions of the lock that a fault of the scenario violates.
Reasons ruled_out(const Scenario& scenario, const std::string& lock) {
  const LockType& type = type_of_ref(lock);
  if (type.manifest == nullptr) return {};
  std::set<std::string> given;
  const Settings settings = scenario.settings_of(lock);
  for (const FaultSpec& fault : settings.faults) {
    if (const FaultType* known = find_entry(faults(), fault.fault)) given.insert(known->cause);
  }
  if (given.contains("session_lost")) given.insert(kLostState);
  Reasons out = type.manifest->assumes;
  std::erase_if(out, [&](const auto& one) { return !given.contains(one.first); });
  return out;
}

// Without duplicates.
std::string with_causes(const std::string& expected, const Reasons& causes) {
  const bool holds = expected.empty() || expected == "holds";
  const bool allowed = expected.rfind("allowed", 0) == 0;
  if (!holds && !allowed) return expected;
  std::string out = holds ? kHoldsBut : expected == "allowed" ? "allowed:" : expected;
  const std::vector<std::string> stated = kinds_of(expected);
  for (const auto& [cause, why] : causes) {
    if (std::find(stated.begin(), stated.end(), cause) != stated.end()) continue;
    out += (out.back() == ':' ? "" : ",") + cause;
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> documented_expectations(const Scenario& scenario, const std::string& lock) {
  auto expected = scenario.expected_of(lock);
  const Reasons causes = ruled_out(scenario, lock);
  if (causes.empty()) return expected;
  for (const auto& property : type_of_ref(lock).promises()) {
    expected[property] = with_causes(expected[property], causes);
  }
  return expected;
}

std::string documented_reasons(const Scenario& scenario, const std::string& lock) {
  std::string out;
  for (const auto& [cause, why] : ruled_out(scenario, lock)) {
    out += (out.empty() ? "" : " ") + ("Its documentation rules out " + cause + ": " + why + ".");
  }
  return out;
}

}  // namespace holdfast
