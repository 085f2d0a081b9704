// What a timeline shows, as tables: for who cannot see the picture, and for who wants the numbers.
#pragma once

#include "artifact/verdict.hpp"
#include "reports/focus.hpp"
#include "reports/html.hpp"

namespace holdfast {

// A closed <details> with the spans, faults and writes of the window, in the order of time; at most two dozen rows
// each.
void write_timeline_table(const Timeline&, const Stretch&, HtmlWriter& out);

}  // namespace holdfast
