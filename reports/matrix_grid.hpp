// Which way the matrix of a run lies: locks are rows, unless there are far more scenarios than locks, which no screen
// is wide enough for; then scenarios are.
//
//   const MatrixGrid grid(run);
//   for (const auto& row : grid.rows) for (const auto& column : grid.columns) grid.cell(row, column);
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct MatrixGrid {
  explicit MatrixGrid(const RunVerdict& run);

  const Cell* cell(const std::string& row, const std::string& column) const;  // null: there is none
  const char* corner() const { return scenarios_down ? "scenario" : "lock"; }

  const RunVerdict& run;
  bool scenarios_down = false;
  const std::vector<std::string>& rows;
  const std::vector<std::string>& columns;
};

}  // namespace holdfast
