// The head of a run's page: one block that says how it ended, who was tried and when, the flaw, and what to do.
//
//   write_page_head(in, out);
//   head_title(found)      "✗ Broken my_lock: data damaged", for a window's title without the glyph
//
// The grade of a run that grades one lock comes first, else the run's result. What was not expected comes before what
// was; the time budget, the bounds of a search and the machine come last.
#pragma once

#include <string>

#include "reports/html.hpp"
#include "reports/page.hpp"

namespace holdfast {

void write_page_head(const PageInput&, HtmlWriter&);
std::string head_title(const RunAssessment&);

}  // namespace holdfast
