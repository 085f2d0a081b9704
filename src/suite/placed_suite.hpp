// Runs any lock in any suite: its scenarios (load, faults, servers), with this lock instead of theirs.
//
//   const GeneratedSuite placed = place_lock(load_suite("scenarios/server"), "my_lock");
//
// The suite's expectations apply to its own locks. This lock is expected to keep every promise, and what no lease
// prevents is allowed, as in a generated suite (generate/generated_suite.hpp). A scenario that does not fit (another
// kind of server, a statement that the lock lacks, a missing ability) is left out, with the reason. Scenarios with
// equal names are distinguished by their suites' names.
#pragma once

#include <string>
#include <vector>

#include "generate/generated_suite.hpp"

namespace holdfast {

// For a known lock. Throws BadInput with the reasons if no scenario fits.
GeneratedSuite place_lock(const std::vector<Scenario>& worlds, const std::string& lock);

}  // namespace holdfast
