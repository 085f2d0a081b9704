// The differences between two runs: cells whose outcome, kinds of violation or duration changed, and the page of them.
//
//   const TwoRuns both = compare_runs({"runs/a", earlier}, {"runs/b", later});
//   write_text_file("runs/b/against.html", two_runs_page(both, "./report.html", HOLDFAST_VERSION));
//
// Cells are matched by lock and scenario. It judges nothing: a baseline (src/cli/run_baseline_flags.hpp) decides
// between new and known violations, with an exit code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

// In this order in a report.
enum class CellChange : std::uint8_t {
  broke,     // good before, bad now
  other,     // another outcome, neither broke nor fixed
  kind,      // the same outcome, other violations
  fixed,     // bad before, good now
  duration,  // only another duration
  same,
};
const char* to_text(CellChange change);

struct CellPair {
  const Cell* before = nullptr;
  const Cell* now = nullptr;
  CellChange change = CellChange::same;
};

struct NamedRun {
  std::string folder;
  const RunVerdict& run;
};

struct TwoRuns {
  NamedRun before;
  NamedRun now;
  std::vector<CellPair> changed;         // the gravest first
  std::vector<const Cell*> only_before;  // cells that the other run does not have
  std::vector<const Cell*> only_now;
  int same = 0;

  int count_of(CellChange change) const;
};

// A duration has changed if the mean of a cell's trials is at least twice, or at most half, and a second or more apart.
inline constexpr double kDurationFactor = 2;
inline constexpr double kDurationLeast_s = 1;

// Mean duration of the cell's trials; 0: it has none.
double mean_seconds(const Cell& cell);

// The result points into the runs, which must stay.
TwoRuns compare_runs(const NamedRun& before, const NamedRun& now);

// "2 of 70 cells changed: 1 broke, 1 fixed"
std::string change_counts(const TwoRuns& both);

// `report`: address of the later run's page, for links to its cells; empty: no links.
std::string two_runs_page(const TwoRuns& both, const std::string& report, const std::string& version);

}  // namespace holdfast
