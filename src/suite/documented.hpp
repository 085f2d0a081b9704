// Expectations of a scenario for a lock, considering `assumes` in its manifest: if the lock's documentation excludes a
// fault, a violation that only this fault explains is allowed and reported.
//
//   documented_expectations(scenario, "shedlock_jdbc")    // {"mutual_exclusion": "allowed:overrun,client_skew", ...}
#pragma once

#include <map>
#include <string>

#include "artifact/scenario.hpp"

namespace holdfast {

// Expectation by property, for compare_with_expected. The lock is one of locks(), possibly with a variant.
std::map<std::string, std::string> documented_expectations(const Scenario& scenario, const std::string& lock);

// The reasons, a sentence each; empty: no fault of this scenario is excluded.
std::string documented_reasons(const Scenario& scenario, const std::string& lock);

}  // namespace holdfast
