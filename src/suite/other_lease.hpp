// Runs a scenario with another lease. All of its times grow with the lease, so that each fault lasts as many leases as
// before and strikes the same part of one: a stop of 4.8 s with a lease of 2 s is one of 72 s with a lease of 30 s.
//
//   const Scenario slow = with_lease(load_scenario("libraries/scenarios/pause.json"), 30000);
//   slow.faults[0].for_ms    72000
#pragma once

#include <cstdint>

#include "artifact/scenario.hpp"

namespace holdfast {

// Throws BadInput, with the scenario's file, if a time becomes longer than scenarios allow.
Scenario with_lease(const Scenario&, std::int64_t lease_ms);

}  // namespace holdfast
