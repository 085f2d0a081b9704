// Words that a world can take next, and their costs: steps, forced events, faults, and times at which something ends.
#pragma once

#include <vector>

#include "explore/memoized_store.hpp"
#include "explore/world.hpp"
#include "explore/world_state.hpp"

namespace holdfast {

// Uses of the client's own wall clock by the lock's code: at all, and in a holder's deadline check.
struct ClockReads {
  bool wall_clock = false;
  bool at_look = false;
};

std::vector<Option> next_words(const WorldState& state, const MemoizedStore& store, const ClockReads& reads);

}  // namespace holdfast
