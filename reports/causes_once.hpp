// What is not as expected in a run, each cause once, with all cells that show it: fifty cells with one flaw are one
// finding.
//
//   for (const auto& cause : causes_once(run)) ... cause.first, cause.others
//
// A lock that fails without any fault fails under every fault, too: that is told first, once, unless controls have
// confirmed that a fault is the cause of what a cell shows. Else two cells are one finding where the same lock is
// violated in the same way and the same words explain it. Against a baseline, what is new and what is known are two
// findings. What is not a violation (an error, a missed one) stays by
// itself.
#pragma once

#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct CauseOnce {
  const Cell* first = nullptr;  // the simplest: without a fault, if there is one
  std::vector<const Cell*> others;
};

std::vector<CauseOnce> causes_once(const RunVerdict&);

}  // namespace holdfast
