// Tests whether time can be skipped on this machine: a program in a lab sleeps, and its sleep takes almost no time.
//
//   Examination found = probe_time(folder);   // outside: starts a lab, waits, compares the clocks
//   run_time_probe();                         // inside it
#pragma once

#include <string>

#include "doctor/examination.hpp"

namespace holdfast {

Examination probe_time(const std::string& folder);

void run_time_probe();  // throws HarnessError: its sleep was too long or too short by its own clock

}  // namespace holdfast
