// A comparison as a terminal shows it: a table for each scenario, what the columns mean, and what has changed since a
// baseline.
//
//   say("{}", comparison_text(comparison));
//
// UTF-8, no colour; ends with a line end.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "reports/shown.hpp"

namespace holdfast {

Shown comparison_text(const Comparison&);

// Rows of words, made visible, as columns, two blanks apart; the last column is not padded.
Shown aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace holdfast
