// What a scenario expects against what the checker saw, property by property. Pure.
//
// A property that is not named must hold or not apply. `violated` alone accepts any kind; `violated:overrun` wants that
// kind and no other; `violated:client_skew,algorithm` wants the first and tolerates the others, as of a lock that races
// by itself and under a wrong clock as well. A property that is expected `not_exercised` may also hold: that says more.
// `allowed:overrun` may hold, need not be exercised, and may be violated by these kinds and no other; `allowed` alone
// tolerates no violation. A cell in which an allowed violation was seen passes, and says so (Outcome::allowed).
// `holds_but:client_skew` must hold, but for violations of these kinds and no other, which are allowed: it is what
// becomes of `holds` where the lock's documentation rules a fault out (suite/documented.hpp).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// The name of a mismatch that is no property's: a fault was planned, optional, and never acted.
inline constexpr const char* kFaults = "faults";
inline constexpr const char* kNeverActed = "one of them never did";
inline constexpr const char* kNotExercised = "not_exercised: ";  // and why: a fault struck refused attempts only

// {"overrun", "late_grant"} of "allowed:overrun,late_grant".
std::vector<std::string> kinds_of(const std::string& expected);

// Fills outcome and mismatches of a trial that has a verdict. Where a planned fault never acted it is undecided,
// whatever held: that was another trial than the one that was asked for.
void compare_with_expected(const std::map<std::string, std::string>& expected, TrialResult& trial);

// Fills outcome and mismatches of a caught trial's control, whose verdict this is: nothing may be violated or
// undecided, and of the properties that the cell breaks at least one must hold (for others the moment may not come at
// all).
void compare_control(const std::map<std::string, std::string>& expected, const TrialVerdict& control,
                     TrialResult& trial);

Outcome worse(Outcome a, Outcome b);

// Of a cell that is repeated until it is decided: an expected violation that this trial did not show, and another did.
bool passed_over(const Cell& cell, const TrialResult& trial);

// Outcome and count of a cell from its trials; a trial that is missing is never as expected.
void sum_up(Cell& cell);

// Exit code of a whole run: the first that applies of 130, 1, 5, 3 (also where trials were not run), 4 (nothing could
// run), 0. Of a run that was compared with a baseline, 1 is only for what is new, and 3 also for what the baseline
// cannot tell (compare/run_baseline.hpp).
int exit_code_of(const RunVerdict& run);

}  // namespace holdfast
