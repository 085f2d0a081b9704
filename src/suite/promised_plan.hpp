// A lock's interface may take leases in whole seconds only: who wants 1900 ms asks it for 2 s, and is promised them.
// Plans are made without knowing locks; here their leases become those that the lock can promise, and what the scenario
// asked for stays beside them (`asked_leases_ms` of plan.json).
#pragma once

#include <string>

#include "artifact/plan.hpp"

namespace holdfast {

Plan with_promised_leases(Plan plan);

// A sentence for people, "A lease of 1900 ms was asked for, ..."; empty where all is promised as asked.
std::string told_rounding(const std::string& lock, const Load& asked);

}  // namespace holdfast
