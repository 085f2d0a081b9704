// The first screen of the page, around the matrix: the sentence above it, the most severe finding with its picture,
// story and command below.
#pragma once

#include "reports/html.hpp"
#include "reports/page.hpp"

namespace holdfast {

void write_sentence(const RunVerdict&, HtmlWriter& out);
void write_severest(const PageInput&, HtmlWriter& out);  // nothing when everything simply held

}  // namespace holdfast
