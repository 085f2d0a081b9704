// What may be behind a violation, by its property and kind, and what may decide a cell that is open. A suggestion,
// never a finding: reports mark it so.
#pragma once

#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// Whole sentences; empty when nothing is known about the kind.
std::string suggested_cause(const std::string& property, const std::string& kind);

// Empty where the outcome needs none.
std::string remedy_of(Outcome, Judgement);
std::string remedy_of_control();  // that did not hold
std::string remedy_of_search();   // that was cut off

}  // namespace holdfast
