// Determines which kinds of a trial's violations are only suspected, and evaluates controls for them. Pure.
//
// The checker names a fault as the cause if it struck a client involved at the time of the violation; only when the
// same plan without that fault has held several times is it confirmed. For kinds that no fault gives, the controls have
// no fault and show whether the finding needs the faults at all.
//
//   std::vector<CauseFinding> asked = causes_to_ask(trial, faults_by_cause, planned, with_expected);
//   for (const auto& control : controls) take(asked[0], control.verdict, false);
//   settle(asked[0], why_no_more);
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "artifact/run_verdict.hpp"

namespace holdfast {

// By cause: the faults that can give it.
using FaultsByCause = std::map<std::string, std::set<std::string>>;
FaultsByCause faults_by_cause(const Timeline& timeline);

// For a trial with a verdict. Selects every kind of unexpected violation; with `expected_ones` also those kinds of
// expected ones that are a fault's cause.
std::vector<CauseFinding> causes_to_ask(const TrialResult& trial, const FaultsByCause& causes,
                                        const std::vector<FaultSpec>& planned, bool expected_ones);

// Counts one control. Returns false if it shows nothing: the property was not exercised or not decided, or the lock
// renews unseen, so that a violation counts as a lapse and the lease's state is unknown.
bool take(CauseFinding& cause, const TrialVerdict& control, bool renews_unseen);

// Returns true if another control could change the result.
bool is_open(const CauseFinding& cause);

// Finishes without further controls; `why_no_more` if fewer were judged than wanted.
void settle(CauseFinding& cause, const std::string& why_no_more);

// If the scenario expects a fault's cause first and the controls do not confirm it, that is a mismatch. As for a paired
// control, one confirmed property of the kind is enough if none is refuted: without the fault, the dangerous moment of
// others may not occur.
void compare_causes(const std::map<std::string, std::string>& expected, TrialResult& trial);

}  // namespace holdfast
