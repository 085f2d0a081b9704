// Readings of the clock by raw system calls, answered with the lab's time (held_calls.hpp).
#pragma once

#include "virtual_time/held_calls.hpp"
#include "virtual_time/lab_clock.hpp"

namespace holdfast {

bool reads_clock(const HeldCall& call);
void answer_clock(const HeldCalls& calls, const HeldCall& call, LabClock& clock);

}  // namespace holdfast
