// The page of safety envelopes: for each lock one bar, safe up to here, broken from there, and undecided between the
// two. One file that opens offline; it has no scripts.
//
//   write_text_file("envelope.html", envelope_page(run));
//
// What was not judged is hatched and never drawn as safe. Each bar says the same in words, and all amounts that were
// tried are in a table.
#pragma once

#include <string>

#include "artifact/envelope.hpp"
#include "reports/html.hpp"

namespace holdfast {

std::string envelope_page(const EnvelopeRun&);

// The picture alone.
Markup envelope_svg(const EnvelopeRun&);

}  // namespace holdfast
