// What may be behind a violation, by its property and kind, what the lock has already, and what controls say; and what
// may decide a cell that is open. A fault is called the cause only where controls confirm it; all else is a suggestion,
// and reports mark it so.
#pragma once

#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct Suspicion {
  std::string property;
  std::string kind;
  bool fenced = false;                  // the lock's grants carry tokens
  const CauseFinding* cause = nullptr;  // what controls say; null: none were run
};

// Whole sentences; empty when nothing is known about the kind.
std::string suggested_cause(const Suspicion&);

// What to call it: "Cause, confirmed", or "Suggested cause".
std::string suggestion_label(const Suspicion&);

// Empty where the outcome needs none.
std::string remedy_of(Outcome, Judgement);
std::string remedy_of_control();  // that did not hold
std::string remedy_of_search();   // that was cut off

}  // namespace holdfast
