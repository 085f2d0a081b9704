// What controls say of suspected causes, in words that every report uses.
//
//   client_skew (lease_exclusion, resource): confirmed, 5 of 5 hold without client_skew
//   partition (ownership): unconfirmed, 1 of 2 hold without partition; stopped there, since ...
//   algorithm (resource): also without any fault, 0 of 1 hold
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// One line for all properties of which the same is known. None where no controls were asked.
std::vector<std::string> cause_lines(const TrialResult&);

// Of one property and kind; null: nothing was asked of controls.
const CauseFinding* cause_of(const TrialResult&, const std::string& property, const std::string& kind);

// "client_skew and pause": what the controls were without.
std::string removed_text(const CauseFinding&);

}  // namespace holdfast
