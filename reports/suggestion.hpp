// Possible causes of a violation, and the results of controls for a suspected cause.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// Results of controls for suspected causes, in words that every report uses.
//
//   client_skew (lease_exclusion, resource): confirmed, 5 of 5 held without client_skew
//   partition (ownership): unconfirmed, 1 of 2 held without partition; stopped there, since ...
//   algorithm (resource): also without any fault, 0 of 1 hold

// One line for all properties of which the same is known. None where no controls were asked.
std::vector<std::string> cause_lines(const TrialResult&);

// The result for one property and kind; null: no controls were run for it.
const CauseFinding* cause_of(const TrialResult&, const std::string& property, const std::string& kind);

// A control showed the same without the fault. Without controls nothing refutes it.
bool is_refuted(const CauseFinding&);

// Possible causes of a violation, by its property and kind, the lock's features, and the results of controls; and
// remedies for an undecided cell. A fault is called the cause only if controls confirm it; all else is a suggestion,
// and reports mark it so.

struct Suspicion {
  std::string property;
  std::string kind;
  bool fenced = false;                  // the lock's grants carry tokens
  const CauseFinding* cause = nullptr;  // results of controls; null: none were run
};

// The flaw that a kind of violation points at, whatever controls say. Whole sentences; empty: nothing is known of it.
std::string likely_flaw(const Suspicion&);

// The same, weighed by what controls say.
std::string suggested_cause(const Suspicion&);

// Labels of a suggestion. Only controls confirm or refute that a fault is the cause; all else is likely at most.
inline constexpr const char* kConfirmedCause = "Cause, confirmed";
inline constexpr const char* kLikelyCause = "Likely cause";
inline constexpr const char* kNotTheCause = "Not the cause";
std::string suggestion_label(const Suspicion&);

// Empty where the outcome needs none.
std::string remedy_of(Outcome, Judgement);
std::string remedy_of_control();         // for a control that did not hold
std::string remedy_of_search();          // for a search that was cut off
std::string remedy_of_not_applicable();  // for an expected property that the lock does not promise

}  // namespace holdfast
