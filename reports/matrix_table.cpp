#include "reports/matrix_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "reports/cell_section.hpp"
#include "reports/matrix_grid.hpp"
#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

void write_matrix_cell(const Cell* cell, HtmlWriter& out) {
  const auto data = out.tag("td");
  if (cell == nullptr) {
    out.element("span", {{"class", "absent"}}, "no cell");
    return;
  }
  const auto link = out.tag("a", {{"href", "#" + cell_anchor(*cell)}, {"class", "cell-link"}});
  write_outcome(cell->outcome, repeated_text(*cell), out);
}

void write_legend(const RunVerdict& run, HtmlWriter& out) {
  std::set<Outcome> shown;
  for (const auto& cell : run.cells) shown.insert(cell.outcome);
  const auto list = out.tag("ul", {{"class", "legend"}});
  for (const Outcome outcome : shown) {
    const auto item = out.tag("li");
    write_outcome(outcome, "", out);
    out.text(fmt::format(" {}", words_of(outcome).meaning.view()));
  }
  const bool repeated =
      std::any_of(run.cells.begin(), run.cells.end(), [](const Cell& c) { return c.trials_planned() > 1; });
  if (repeated) out.element("li", {}, "k/n: trials as expected");
}

}  // namespace

void write_matrix_table(const RunVerdict& run, HtmlWriter& out) {
  const MatrixGrid grid(run);
  {
    const auto scroll = out.tag("div", {{"class", "scroll"}});
    const auto table = out.tag("table", {{"class", "matrix"}});
    {
      const auto head = out.tag("thead");
      const auto row = out.tag("tr");
      out.element("th", {{"scope", "col"}}, grid.corner());
      for (const auto& column : grid.columns) out.element("th", {{"scope", "col"}}, column);
    }
    const auto body = out.tag("tbody");
    for (const auto& name : grid.rows) {
      const auto row = out.tag("tr");
      out.element("th", {{"scope", "row"}}, name);
      for (const auto& column : grid.columns) write_matrix_cell(grid.cell(name, column), out);
    }
  }
  write_legend(run, out);
}

}  // namespace holdfast
