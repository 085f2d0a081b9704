// The facts around a witness, in the order of time: who held what from when to when, when a lease ended, what struck
// whom, who wrote. Numbers (#881) are those of the history's events.
#pragma once

#include <string>
#include <vector>

#include "artifact/verdict.hpp"

namespace holdfast {

// Empty when the timeline does not hold the witness's spans (a witness elsewhere than where the timeline was cut).
std::vector<std::string> witness_facts(const Timeline&, const Witness&, bool exclusion);

// The spans of the witness's clients and key that touch it.
std::vector<const Span*> witness_spans(const Timeline&, const Witness&);

}  // namespace holdfast
