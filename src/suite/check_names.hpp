// A scenario against the catalogues: locks, faults, targets, moments, and the kinds of violations that it may expect.
#pragma once

#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

// The kinds of violations that a scenario may expect: those that a property gives by itself, and the causes of faults.
// A kind that nothing ever gives would make its cell fail, and only at the end of a run.

// Of one that a lock may promise, in the order of the alphabet.
std::vector<std::string> known_kinds(const std::string& property);

// Throws BadInput with file and line, key path and remedy.
void check_kinds(const Scenario& scenario);

// A scenario against the catalogues: locks, faults and their settings, targets, moments and kinds. What a scenario's
// file alone can tell is refused when it is loaded; this is the rest, before anything runs.

// Throws BadInput with file and line, key path and remedy.
void check_names(const Scenario& scenario);

}  // namespace holdfast
