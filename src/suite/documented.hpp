// What a scenario expects of a lock, in the light of what the lock's documentation takes for granted (`assumes` of an
// adapter's manifest): a violation that only such a fault explains is no broken promise. It is allowed, and told.
//
//   documented_expectations(scenario, "shedlock_jdbc")    // {"mutual_exclusion": "allowed:overrun,client_skew", ...}
#pragma once

#include <map>
#include <string>

#include "artifact/scenario.hpp"

namespace holdfast {

// property -> expected, for compare_with_expected. The lock is one of locks(), maybe with a variant.
std::map<std::string, std::string> documented_expectations(const Scenario& scenario, const std::string& lock);

// The reasons, a sentence each; empty: it takes nothing for granted that this scenario has a fault for.
std::string documented_reasons(const Scenario& scenario, const std::string& lock);

}  // namespace holdfast
