// The result as a terminal shows it, and which way the matrix lies in every report.
#pragma once

#include <string>
#include <vector>

#include "reports/assessment.hpp"
#include "reports/terminal_text.hpp"

namespace holdfast {

// The orientation of a run's matrix: locks are rows, unless there are far more scenarios than locks, too many for the
// width of a screen; then scenarios are.
//
//   const MatrixGrid grid(run);
//   for (const auto& row : grid.rows) for (const auto& column : grid.columns) grid.cell(row, column);

struct MatrixGrid {
  explicit MatrixGrid(const RunVerdict& run);

  const Cell* cell(const std::string& row, const std::string& column) const;  // null: no such cell
  const char* corner() const { return scenarios_down ? "scenario" : "lock"; }

  const RunVerdict& run;
  bool scenarios_down = false;
  const std::vector<std::string>& rows;
  const std::vector<std::string>& columns;
};

// The result as a terminal shows it: the sentence, the matrix of locks and scenarios with its legend, what was not as
// expected, and which faults were proved to act.
//
//   say("{}", matrix_text(assess(run), isatty(1)));
//
// UTF-8, ends with a line end. Without `colour` there is no escape sequence in it, whatever a name or an error holds.
// With a number of `columns` (0: any) a wider matrix continues below itself, and longer lines are folded; commands are
// not, so that they can be copied.

TerminalText matrix_text(const RunAssessment&, bool colour, std::size_t columns = 0);

}  // namespace holdfast
