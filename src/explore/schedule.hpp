// One schedule of a world, from its beginning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/world.hpp"

namespace holdfast {

bool ended_badly(const SearchWorld& world);  // with a severe violation

// Runs its words and, with `go_on`, then whatever costs nothing. The violations of it; BadInput where a word does not
// fit.
std::vector<Violation> run_schedule(SearchWorld& world, const std::vector<Word>& words, bool go_on);

// The same violation with words left out, as long as one can be left out, and no fault that it can do without. Where a
// fault is left out the schedule may need other words at its end: those that cost nothing.
std::vector<Word> shortened(SearchWorld& world, const std::vector<Word>& words, const std::string& invariant);

// What its words cost where the world offers them as they are; nothing: it does not offer one of them.
std::optional<Cost> cost_of(SearchWorld& world, const std::vector<Word>& words);

}  // namespace holdfast
