// The matrix of locks and scenarios as a table of the page, each cell a link to its section, and its legend.
#pragma once

#include "artifact/run_verdict.hpp"
#include "reports/html.hpp"

namespace holdfast {

void write_matrix_table(const RunVerdict&, HtmlWriter& out);

}  // namespace holdfast
