// One cell of a comparison in words: the columns that the terminal's table and the page share.
//
//   insert_lease | 5.2 | 1.20 s (16 %), longest 1.14 s | 45 ms | 0.9 ms / 1.4 ms | ... | mutual_exclusion 3/3 overrun
//
// What was not measured is "-", never 0: a wait that never happened has no length.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"

namespace holdfast {

struct ComparisonColumn {
  const char* name;
  const char* meaning;
};
const std::vector<ComparisonColumn>& comparison_columns();

// One word a column.
std::vector<std::string> comparison_row(const ComparedCell&);

// "mutual_exclusion 3/3 overrun; not exercised: ownership", "nothing in 3 trials", "E 1 of 3 trials failed"
std::string safety_words(const ComparedCell&);

// "COMPARED 3 variants under 2 scenarios, 3 trials each", "NEW 1 violation that the baseline does not have"
std::string comparison_sentence(const Comparison&);

std::string change_words(const ComparedChange&);

}  // namespace holdfast
