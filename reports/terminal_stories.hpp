// What a terminal tells of single cells below the matrix: each that is not as expected, and of a run of few cells each
// flaw that was caught, with the scenario's reason for expecting it. UTF-8; empty when there is nothing to tell.
#pragma once

#include "artifact/run_verdict.hpp"
#include "reports/shown.hpp"

namespace holdfast {

Shown terminal_stories(const RunVerdict&, bool colour);

}  // namespace holdfast
