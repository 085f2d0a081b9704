// One schedule of a world, from its beginning.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/world.hpp"

namespace holdfast {

bool ended_badly(const SearchWorld& world);  // with a severe violation

// Runs its words and, with `go_on`, everything free after them. Returns its violations; throws BadInput if a word does
// not fit.
std::vector<Violation> run_schedule(SearchWorld& world, const std::vector<Word>& words, bool go_on);

// Removes words and unnecessary faults as long as the violation stays the same. Without a fault the schedule may need
// other, free words at its end.
std::vector<Word> shortened(SearchWorld& world, const std::vector<Word>& words, const std::string& invariant);

// Cost of its words if the world offers them all; otherwise empty.
std::optional<Cost> cost_of(SearchWorld& world, const std::vector<Word>& words);

}  // namespace holdfast
