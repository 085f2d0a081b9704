// Checks a scenario against the catalogues: locks, faults, targets, injection points, and expected kinds of violation.
#pragma once

#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

// Kinds of violation that a scenario may expect, in alphabetical order: those that a property gives by itself, and the
// causes of faults. Expecting an impossible kind would make its cell fail at the end of a run. `property`: one that a
// lock may promise.
std::vector<std::string> known_kinds(const std::string& property);

// Checks before a run what a scenario's file alone cannot show; loading checks the rest. Throws BadInput with file and
// line, key path and remedy.
void check_names(const Scenario& scenario);

}  // namespace holdfast
