// Ends a trial's lab and cleans up after it.
//
//   LabEnd ended = end_of([&] { return launch_trial(order, limit_ms, interrupted); });
//   end_on_target(place, there, ended);                     // removes what the trial created on the user's server
//   refuse_others(run, "cells/my_lock/none/1", ended);      // removes all but plain files from the folder
//
// Each step runs even after failures, and adds its own failure to `ended`.
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

// Why a trial in skipped time proves nothing: its clock may have been wrong, or missing. Empty: no doubt.
std::string doubt_of_time(const std::string& folder, const LabEnd& ended);

// Also ends if the lab's end could not be observed.
LabEnd end_of(const std::function<LabEnd()>& launched);

void end_on_target(Sandbox& place, const Target& there, LabEnd& ended);

// A trial's processes write plain files into its folder. Anything else placed there by an adapter, perhaps in place of
// a history, must not stop later readers of the run.
void refuse_others(const RunDirectory& run, const std::string& trial, LabEnd& ended);

}  // namespace holdfast
