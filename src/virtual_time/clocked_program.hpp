// Gives a starting program the clock of its lab (lab_clock.hpp): its vDSO jumps to the code of the page. Raw system
// calls that read the clock are handled by program_calls.hpp.
#pragma once

#include <string>

#include "virtual_time/traced_thread.hpp"

namespace holdfast {

// The thread is at the end of its program's execve, the only thread of it; `descriptor` is the clock page there, and is
// closed. Returns an empty text if the program has the clock, otherwise the reason.
std::string give_clock(TracedThread& thread, int descriptor);

}  // namespace holdfast
