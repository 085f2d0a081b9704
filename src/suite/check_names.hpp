// A scenario against the catalogues: locks, faults and their settings, targets, moments and kinds. What a scenario's
// file alone can tell is refused when it is loaded; this is the rest, before anything runs.
#pragma once

#include "artifact/scenario.hpp"

namespace holdfast {

// Throws BadInput with file and line, key path and remedy.
void check_names(const Scenario& scenario);

}  // namespace holdfast
