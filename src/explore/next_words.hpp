// Words that a world can take next, and their costs: steps, forced events, faults, and times at which something ends.
#pragma once

#include <vector>

#include "explore/memoized_store.hpp"
#include "explore/world.hpp"
#include "explore/world_state.hpp"

namespace holdfast {

// Whether the lock's code reads its own wall clock: at all, and in a holder's deadline check.
struct ClockReads {
  bool wall_clock = false;
  bool at_look = false;
};

std::vector<Option> next_words(const WorldState& state, const MemoizedStore& store, const ClockReads& reads);

}  // namespace holdfast
