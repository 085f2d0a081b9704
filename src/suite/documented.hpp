// What a scenario expects of a lock once `assumes` of its manifest is counted: a violation that only a fault explains
// which the lock's documentation rules out is no broken promise. It is allowed, and told.
//
//   documented_expectations(scenario, "shedlock_jdbc")    // {"mutual_exclusion": "allowed:overrun,client_skew", ...}
#pragma once

#include <map>
#include <string>

#include "artifact/scenario.hpp"

namespace holdfast {

// property -> expected, for compare_with_expected. The lock is one of locks(), maybe with a variant.
std::map<std::string, std::string> documented_expectations(const Scenario& scenario, const std::string& lock);

// The reasons, a sentence each; empty: no fault of this scenario is ruled out.
std::string documented_reasons(const Scenario& scenario, const std::string& lock);

}  // namespace holdfast
