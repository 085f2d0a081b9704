// The result as a terminal shows it: the sentence, the matrix of locks and scenarios with its legend, what was not as
// expected, and which faults were proved to act.
//
//   say("{}", matrix_text(run, isatty(1)));
//
// UTF-8, ends with a line end. Without `colour` there is no escape sequence in it, whatever a name or an error holds.
#pragma once

#include <string>

#include "artifact/run_verdict.hpp"
#include "reports/shown.hpp"

namespace holdfast {

Shown matrix_text(const RunVerdict&, bool colour);

// One line per fault: "pause 5/5 (longest 2.31 s)", "delay unavailable (no netem)".
std::string proof_text(const FaultProof&);

}  // namespace holdfast
