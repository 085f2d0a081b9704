// A comparison as a terminal shows it: a table for each scenario, what the columns mean, and what has changed since a
// baseline.
//
//   fmt::print("{}", comparison_text(comparison));
//
// UTF-8, no colour; ends with a line end.
#pragma once

#include <string>

#include "artifact/comparison.hpp"

namespace holdfast {

std::string comparison_text(const Comparison&);

// Rows of words as columns, two blanks apart; the last column is not padded.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace holdfast
