// Compares a scenario's expectations with the checker's results, property by property. Pure.
//
// A property that is not named must hold or not apply. `violated` alone accepts any kind; `violated:overrun` requires
// that kind and no other; `violated:client_skew,algorithm` requires the first and tolerates the others, as for a lock
// that has a race of its own in addition to failing under a wrong clock. A property expected as `not_exercised` may
// also hold, which is stronger. `allowed:overrun` may hold, need not be exercised, and may be violated by these kinds
// only; `allowed` alone tolerates no violation. A cell with an allowed violation passes as Outcome::allowed.
// `holds_but:client_skew` must hold except for violations of these kinds, which are allowed: it replaces `holds` if the
// lock's documentation excludes a fault (suite/documented.hpp).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// Mismatch name for a planned, optional fault that never acted.
inline constexpr const char* kFaults = "faults";
inline constexpr const char* kNeverActed = "one of them never did";
inline constexpr const char* kNotExercised = "not_exercised: ";  // reason prefix: a fault struck only refused attempts

// {"overrun", "late_grant"} from "allowed:overrun,late_grant".
std::vector<std::string> kinds_of(const std::string& expected);

// Sets outcome and mismatches of a trial with a verdict. If a planned fault never acted, it is undecided, whatever
// held: it was not the requested trial.
void compare_with_expected(const std::map<std::string, std::string>& expected, TrialResult& trial);

// Sets outcome and mismatches of a caught trial's control from its verdict: nothing may be violated or undecided, and
// at least one of the properties that the cell violates must hold (for others the dangerous moment may not occur).
void compare_control(const std::map<std::string, std::string>& expected, const TrialVerdict& control,
                     TrialResult& trial);

Outcome worse(Outcome a, Outcome b);

// In a cell repeated until decided: returns true if this trial did not show an expected violation that another did.
bool passed_over(const Cell& cell, const TrialResult& trial);

// Outcome and counts of a cell from its trials; a missing trial never counts as expected.
void sum_up(Cell& cell);

// Exit code of a run: the first that applies of 130 (interrupted), 1 (unexpected), 5 (harness error), 3 (undecided,
// trials not run, or an assertion never reached), 4 (nothing could run), 0. With a baseline, 1 is only for new results,
// and 3 also for unknown changes (compare/run_baseline.hpp).
int exit_code_of(const RunVerdict& run);

}  // namespace holdfast
