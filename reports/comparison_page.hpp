// The page of a comparison: one HTML file with everything in it, as page.hpp has it for a run: no script, nothing
// loaded, every text escaped, well-formed XML.
//
//   write_text_file("compare.html", comparison_page(comparison));
//
// For each scenario a picture on one axis of time and a table; first what has changed since the baseline, if there is
// one. It shows numbers as they were measured and ranks nobody.
#pragma once

#include <string>

#include "artifact/comparison.hpp"

namespace holdfast {

std::string comparison_page(const Comparison&);

}  // namespace holdfast
