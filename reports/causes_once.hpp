// Cells that are not as expected, each cause once with all cells that show it: fifty cells with one flaw are one
// finding.
//
//   for (const auto& cause : causes_once(cells)) ... cause.first, cause.others
//
// A lock that fails without any fault fails under every fault, too: that finding comes first, once, unless controls
// have confirmed that a fault is the cause of a cell's violation. Otherwise two cells are one finding if the same lock
// is violated in the same way and the same words explain it. Against a baseline, new and known violations are two
// findings. Errors and missed violations stay by themselves.
#pragma once

#include <vector>

#include "reports/cell_assessment.hpp"

namespace holdfast {

// Cells with one cause; they are the caller's, and must stay.
struct CauseOnce {
  const CellAssessment* first = nullptr;  // the simplest: without a fault, if there is one
  std::vector<const CellAssessment*> others;
};

std::vector<CauseOnce> causes_once(const std::vector<CellAssessment>&);

}  // namespace holdfast
