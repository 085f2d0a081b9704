// How many permits were held at once, in a list of holds: the arithmetic of permit_rule.hpp, without its state.
//
//   PermitHolds few = too_many(holds, window, capacity);   // empty: never more than there are
//   if (!room(holds, window, takes, capacity)) few = no_room(holds, window, takes, capacity);
//
// What comes back is the least that shows it: without any one of the holds the rest would be possible.
#pragma once

#include "checker/permit_hold.hpp"

namespace holdfast {

// Holds that together take more than `capacity` for a positive time inside `window`. `with`, if given, is among them.
PermitHolds too_many(const PermitHolds& holds, const Window& window, std::int64_t capacity,
                     const std::shared_ptr<PermitHold>& with = nullptr);

// Whether at some moment of the window, both its ends included, `takes` more would have fitted. Moments at which a hold
// begins or ends are outside it: it may have begun just after, or ended just before.
bool room(const PermitHolds& holds, const Window& window, std::int64_t takes, std::int64_t capacity);

// The holds that leave no room.
PermitHolds no_room(const PermitHolds& holds, const Window& window, std::int64_t takes, std::int64_t capacity);

}  // namespace holdfast
