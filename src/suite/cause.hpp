// Which kinds of a trial's violations are only suspected, and what controls say of them. Pure.
//
// The checker names a fault's cause when the fault struck somebody of the story while it went wrong; that it was the
// cause nobody knows before the same plan without that fault has held, several times. Of kinds that no fault gives the
// controls are without any fault and tell whether the finding needs the faults at all.
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

// Cause -> the faults that it was recorded for.
using FaultsByCause = std::map<std::string, std::set<std::string>>;
FaultsByCause faults_by_cause(const Timeline& timeline);

// Of a trial that has a verdict. Of violations that were not expected each kind is asked about; with `expected_ones`
// also those kinds of expected ones that are a fault's cause.
std::vector<CauseFinding> causes_to_ask(const TrialResult& trial, const FaultsByCause& causes,
                                        const std::vector<FaultSpec>& planned, bool expected_ones);

// Counts one control. False: it says nothing, since the property was not exercised or not decided in it; or, of a lock
// that renews unseen, since what came in it is told as a lapse, and whether a lease had lapsed is not known.
bool take(CauseFinding& cause, const TrialVerdict& control, bool renews_unseen);

// Whether another control could still tell something.
bool is_open(const CauseFinding& cause);

// No more controls will come; `why_no_more` where fewer were judged than were wanted.
void settle(CauseFinding& cause, const std::string& why_no_more);

// A fault's cause that the scenario expects first and that its controls do not confirm is not what was expected. As of
// a paired control, one property of the kind that is confirmed is enough, as long as none is refuted: of others the
// moment may not come at all without the fault.
void compare_causes(const std::map<std::string, std::string>& expected, TrialResult& trial);

}  // namespace holdfast
