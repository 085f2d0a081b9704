// A curve in words: the sentences of its page and its table for a terminal.
//
//   say("{}", curve_text(run));
//
// A point that is not measured has no share: the table has "not measured" with the reason, never 0.
#pragma once

#include <string>

#include "artifact/curve.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {

TerminalText curve_text(const CurveRun&);

// "CURVE", or "INTERRUPTED"; and "redis_token under a pause of 400 ms · 14 points, 20 plans each · Redis 7.0.15 · ...".
std::string curve_word(const CurveRun&);
std::string curve_claim(const CurveRun&);

// Where it broke, in a sentence: "redis_token broke at 2 of 12 measured points: before the write, at 90 % ..."
std::string curve_answer(const CurveRun&);
std::string curve_baseline(const CurveRun&);  // the same without the fault; empty: nothing broke

// "400 ms (20 % of the lease of 2,000 ms)"; empty: the fault ends by itself.
std::string curve_length(const CurveRun&);

// "20 of 20", "not measured"; "84..100 %", empty if not measured; "18 of 20", "-" without a fault.
std::string violated_text(const CurvePoint&);
std::string interval_text(const CurvePoint&);
std::string acted_text(const CurvePoint&);

// "mutual_exclusion overrun, resource overrun", "two holders, the data is safe: 3", or why it is not measured.
std::string seen_text(const CurvePoint&);

const char* part_title(CurvePart);  // "while it holds the lock"

}  // namespace holdfast
