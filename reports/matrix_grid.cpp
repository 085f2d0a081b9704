#include "reports/matrix_grid.hpp"

#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostColumns = 12;

bool lies_down(const RunVerdict& run) {
  return run.scenarios.size() > kMostColumns && run.scenarios.size() > 2 * run.locks.size();
}

}  // namespace

MatrixGrid::MatrixGrid(const RunVerdict& of)
    : run(of),
      scenarios_down(lies_down(of)),
      rows(scenarios_down ? of.scenarios : of.locks),
      columns(scenarios_down ? of.locks : of.scenarios) {}

const Cell* MatrixGrid::cell(const std::string& row, const std::string& column) const {
  return scenarios_down ? find_cell(run, column, row) : find_cell(run, row, column);
}

}  // namespace holdfast
