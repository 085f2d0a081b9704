// What a cell's scenario expects of each property beside what its trials showed.
#pragma once

#include "artifact/run_verdict.hpp"
#include "reports/html.hpp"

namespace holdfast {

void write_property_table(const Cell&, HtmlWriter& out);

}  // namespace holdfast
