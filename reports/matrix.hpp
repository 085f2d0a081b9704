// The result as a terminal shows it, and what of it the other reports lay out alike: which way the matrix lies, and
// what a generated suite left out.
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "reports/shown.hpp"

namespace holdfast {

// Which way the matrix of a run lies: locks are rows, unless there are far more scenarios than locks, which no screen
// is wide enough for; then scenarios are.
//
//   const MatrixGrid grid(run);
//   for (const auto& row : grid.rows) for (const auto& column : grid.columns) grid.cell(row, column);

struct MatrixGrid {
  explicit MatrixGrid(const RunVerdict& run);

  const Cell* cell(const std::string& row, const std::string& column) const;  // null: there is none
  const char* corner() const { return scenarios_down ? "scenario" : "lock"; }

  const RunVerdict& run;
  bool scenarios_down = false;
  const std::vector<std::string>& rows;
  const std::vector<std::string>& columns;
};

// What a generated suite left out, told by its reasons: several things have one.
//
//   for (const auto& one : left_out_by_reason(run)) fmt::print("{}\n", one.text());
//     variants: not tried, because there is one way to connect to Redis

struct LeftOut {
  std::string why;
  std::string what;  // names, with commas between them; with their lock, where it is not so of all locks

  std::string text() const { return what + ": not tried, because " + why; }
};

std::vector<LeftOut> left_out_by_reason(const RunVerdict& run);

// The result as a terminal shows it: the sentence, the matrix of locks and scenarios with its legend, what was not as
// expected, and which faults were proved to act.
//
//   say("{}", matrix_text(run, isatty(1)));
//
// UTF-8, ends with a line end. Without `colour` there is no escape sequence in it, whatever a name or an error holds.

Shown matrix_text(const RunVerdict&, bool colour);

// One line per fault: "pause 5/5 (longest 2.31 s)", "delay unavailable (no netem)".
std::string proof_text(const FaultProof&);

}  // namespace holdfast
