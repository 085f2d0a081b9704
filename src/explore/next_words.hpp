// Words that a world can take next, and what they cost: steps, what must come, faults, and times at which something
// ends.
#pragma once

#include <vector>

#include "explore/memoized_store.hpp"
#include "explore/world.hpp"
#include "explore/world_state.hpp"

namespace holdfast {

// Whether the lock's code reads its own wall clock: at all, and when a holder looks at its deadline.
struct ClockReads {
  bool wall_clock = false;
  bool at_look = false;
};

std::vector<Option> next_words(const WorldState& state, const MemoizedStore& store, const ClockReads& reads);

}  // namespace holdfast
