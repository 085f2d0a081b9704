// The page of a comparison, and each of its scenarios as a picture.
#pragma once

#include <string>

#include "artifact/comparison.hpp"
#include "reports/html.hpp"

namespace holdfast {

// One scenario of a comparison as a picture: a lane for each variant, all on one axis of time, which shows at a glance
// the variants that kept serving while a fault acted. In a lane: grants as bars (kBin_ns each, the same scale in all
// lanes), the faults as bands behind them, below them the times in which a free key could not be had, above them
// violations.
//
// A cell's trials lie over each other in time only roughly, so a lane shows one of them: the first with a violation,
// else the first that was judged. `shown_trial` says which. Colours are attributes, as in canvas.hpp.

Markup comparison_svg(const Comparison&, const std::string& scenario);

const ComparedTrial* shown_trial(const ComparedCell&);  // null: none was judged

// The page of a comparison: one HTML file with everything in it, as page.hpp has it for a run: no script, nothing
// loaded, every text escaped, well-formed XML.
//
//   write_text_file("compare.html", comparison_page(comparison));
//
// For each scenario a picture on one axis of time and a table; first the changes since the baseline, if there is one.
// It shows numbers as they were measured and ranks no variant.

std::string comparison_page(const Comparison&);

}  // namespace holdfast
