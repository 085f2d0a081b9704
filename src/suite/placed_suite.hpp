// Any lock in any suite: the worlds of its scenarios (load, faults, servers), with this lock in the place of theirs.
//
//   const GeneratedSuite placed = place_lock(load_suite("scenarios/server"), "my_lock");
//
// What the suite expects was said of its own locks. Of this one it is expected that it keeps every promise, and what no
// lease prevents is allowed, as in a suite that is made for it (generate/generated_suite.hpp). A scenario that does not
// fit (a server of another kind, a statement that the lock lacks, something that it cannot do) is left out, with the
// reason. Two scenarios of one name are told apart by their suites'.
#pragma once

#include <string>
#include <vector>

#include "generate/generated_suite.hpp"

namespace holdfast {

// Of a lock that is known. Throws BadInput where nothing at all fits, with the reasons.
GeneratedSuite place_lock(const std::vector<Scenario>& worlds, const std::string& lock);

}  // namespace holdfast
