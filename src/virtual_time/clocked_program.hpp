// Gives a program the clock of its lab (lab_clock.hpp) as it begins: its vDSO jumps to the code of the page. A program
// that reads the clock by raw system calls is served elsewhere (program_calls.hpp).
#pragma once

#include <string>

#include "virtual_time/traced_thread.hpp"

namespace holdfast {

// The thread stands at the end of the execve of its program, the only thread of it; `descriptor` is the clock page
// there, and is closed. Empty: it has the clock; else why not, for people.
std::string give_clock(TracedThread& thread, int descriptor);

}  // namespace holdfast
