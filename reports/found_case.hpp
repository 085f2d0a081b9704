// A cell that shows a violation, as findings tell it: its most telling property, the kind of its violations, and the
// cause under which findings group it.
//
//   if (const auto found = found_case(cell)) found->cause    "algorithm"
#pragma once

#include <optional>
#include <string>

#include "reports/cell_assessment.hpp"
#include "reports/finding.hpp"

namespace holdfast {

struct FoundCase {
  const CellAssessment* of = nullptr;
  Finding found;
  std::string kind;
  std::string cause;       // the key: equal causes are one finding
  bool special = false;    // its load asks for something special, and no fault strikes
  bool confirmed = false;  // a fault is the cause, and controls say so
  bool promised = true;
};

// Nothing: the cell shows no violation.
std::optional<FoundCase> found_case(const CellAssessment&);

// Returns true for a scenario that asks nothing special: what breaks there explains what breaks elsewhere.
bool is_plain(const Cell&);

}  // namespace holdfast
