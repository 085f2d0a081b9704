// How a trial's lab ends, and what is tidied up after it.
//
//   LabEnd ended = end_of([&] { return launch_trial(order, limit_ms, interrupted); });
//   end_on_target(place, there, ended);                     // takes away what the trial made on the user's server
//   refuse_others(run, "cells/my_lock/none/1", ended);      // removes what is no plain file in the trial's folder
//
// Each step is tried, whatever failed before it, and adds its own failure to `ended`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "artifact/run_directory.hpp"
#include "lab/launch_lab.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {

LabEnd launch_trial(const LabOrder& order, std::int64_t limit_ms, const std::atomic<bool>& interrupted);

// Why the trial, which lived in skipped time, proves nothing: its clock may have been wrong, or there was none. Empty:
// nothing speaks against it.
std::string doubt_of_time(const std::string& folder, const LabEnd& ended);

// A lab that could not be followed to its end has ended, too.
LabEnd end_of(const std::function<LabEnd()>& launched);

void end_on_target(Sandbox& place, const Target& there, LabEnd& ended);

// A trial's processes write plain files into its folder. An adapter that puts anything else there, in the place of a
// history perhaps, must not stop those who read the run later.
void refuse_others(const RunDirectory& run, const std::string& trial, LabEnd& ended);

}  // namespace holdfast
