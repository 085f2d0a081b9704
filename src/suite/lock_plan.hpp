// Plans are made without knowing locks; here they get what is the lock's own. Its interface may take leases in whole
// seconds only: who wants 1900 ms asks it for 2 s, and is promised them; what the scenario asked for stays beside them
// (`asked_leases_ms` of plan.json). Where the scenario names no isolation level and no tick, they are the lock's.
#pragma once

#include <string>

#include "artifact/plan.hpp"

namespace holdfast {

Plan fitted_to_lock(Plan plan);

// A sentence for people, "A lease of 1900 ms was asked for, ..."; empty where all is promised as asked.
std::string told_rounding(const std::string& lock, const Load& asked);

}  // namespace holdfast
