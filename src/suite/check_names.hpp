// A scenario against the catalogues: locks, faults, targets, moments, and the kinds of violations that it may expect.
#pragma once

#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

// The kinds of violations that a scenario may expect: those that a property gives by itself, and the causes of faults.
// A kind that nothing ever gives would make its cell fail, and only at the end of a run. `property`: one that a lock
// may promise. In the order of the alphabet.
std::vector<std::string> known_kinds(const std::string& property);

// Checks before anything runs what a scenario's file alone cannot tell; the rest is refused when it is loaded. Throws
// BadInput with file and line, key path and remedy.
void check_names(const Scenario& scenario);

}  // namespace holdfast
