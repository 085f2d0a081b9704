// Trends of cells over the runs in a folder: which broke, in which run first, and which change back and forth.
//
//   for (const SuiteTrends& suite : trends_of(runs)) {
//     for (const CellTrend& cell : suite.changed) ...   // broken, flaky, open and fixed cells
//   }
//
// A cell is good (as expected, allowed, caught) or bad (unexpected, missed) in a run; other outcomes say nothing about
// the lock and are no change. A cell is flaky if, in its last twelve runs, it changed three times or more, or was bad
// in only some trials of one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct RunLine;  // reports/runs_page.hpp

// A cell of a run in a list of runs.
struct RunCell {
  std::string suite;
  std::string lock;
  std::string scenario;
  Outcome outcome = Outcome::as_expected;
  std::string seen;    // "mutual_exclusion violated:overrun in 2 of 3 trials"; empty: nothing was violated
  bool mixed = false;  // bad in some of its judged trials, good in others
};
RunCell run_cell(const Cell& cell);

// The violations that a cell's trials showed, with the number of trials: empty if there are none.
std::string seen_in(const Cell& cell);

// The same as a good or a bad result; false for both: it says nothing.
bool is_good(Outcome outcome);
bool is_bad(Outcome outcome);

// In this order in a report.
enum class Trend : std::uint8_t {
  broken,  // bad in the last judged run
  flaky,
  open,   // the last run with the cell did not judge it
  fixed,  // good in the last judged run, bad before
  steady,
};
const char* to_text(Trend trend);

struct TrendMark {
  const RunLine* run = nullptr;
  const RunCell* cell = nullptr;
};

struct CellTrend {
  std::vector<TrendMark> marks;  // all runs with this cell, the oldest first; never empty
  Trend trend = Trend::steady;
  const RunLine* since = nullptr;         // the run that broke or fixed it, or stopped judging it; null: steady, flaky
  const RunLine* first_broken = nullptr;  // null: it never was bad
  int runs_since = 0;                     // `since` and the later ones
  int changes = 0;                        // among the shown marks
  int judged = 0;                         // shown runs that judged it

  const RunCell& cell() const { return *marks.back().cell; }
};

struct SuiteTrends {
  std::string suite;
  int runs = 0;
  std::vector<CellTrend> changed;  // the gravest first
  std::vector<CellTrend> steady;
};

// The last marks, which a report shows.
inline constexpr std::size_t kShownMarks = 12;
std::span<const TrendMark> shown_marks(const CellTrend& trend);

// Suites with at least two runs, in alphabetical order. The result points into `runs`.
std::vector<SuiteTrends> trends_of(const std::vector<RunLine>& runs);

}  // namespace holdfast
