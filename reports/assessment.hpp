// The assessment of a run: the facts that all reports draw from its verdict, computed once. Reports only phrase them.
//
//   const RunAssessment found = assess(verdict);
//   found.severity                     Severity::data_damaged
//   found.cells[3].told.witness        the violation that a report shows first of the fourth cell
//   found.findings.front().cases       the cells pause_critical_section and lapses: the simplest leads
//   say("{}", matrix_text(found, true));
//
// It judges no history: judgements that the verdicts leave open stay open. Pure. Its pointers point into the
// RunVerdict, which must outlive it.
//
// A case is a cell of a run that grades one lock, named by its scenario.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "reports/causes_once.hpp"
#include "reports/cell_assessment.hpp"
#include "reports/lock_findings.hpp"
#include "reports/promises.hpp"

namespace holdfast {

struct CellCounts {
  std::map<Outcome, std::int64_t> outcomes;         // those that occur
  std::map<Novelty, std::int64_t> not_as_expected;  // unexpected or missed, by their comparison with the baseline
  std::int64_t unfinished = 0;                      // cells with at least one missing trial
  std::int64_t controls = 0;                        // caught flaws whose control ran
  std::int64_t causes = 0;                          // causes of caught flaws that controls confirmed

  std::int64_t of(Outcome) const;
  std::int64_t wrong(Novelty) const;
  std::int64_t good() const;  // as expected, including caught flaws and allowed violations
  std::int64_t cells() const;
};

// Cases with the same faults, at different points, and the same result.
struct CaseGroup {
  Severity end = Severity::nothing_broke;  // two_believed even if the resource refused all stale writes
  std::string faults;                      // "pause", "kill and pause"; "no fault"
  std::vector<std::string> cases;          // names of scenarios
  std::int64_t refused = 0;                // stale writes
  int all = 0;                             // judged cases of these faults
};

// Cases that have no judgement for the same reason.
struct NothingKnown {
  std::string why;
  std::vector<std::string> cases;
  bool tried = false;  // true: they ran, without a verdict
  bool needed = true;  // false: they do not apply to the lock, or are the same as others
};

// Parts of a generated suite that were left out for the same reason.
struct LeftOut {
  std::string why;
  std::string what;  // names, separated by commas; each with its lock if only some locks leave it out

  std::string text() const { return what + ": not tried, because " + why; }
};

// "9 scenarios, which do not apply to the lock or are the same as others"
std::string not_needed_words(std::size_t scenarios);

struct RunAssessment {
  explicit RunAssessment(const RunVerdict& of) : run(of) {}
  RunAssessment(const RunAssessment&) = delete;  // its parts point at each other
  RunAssessment(RunAssessment&&) = default;

  // The lock, if the run grades exactly one; otherwise null.
  const LockAssessment* graded() const {
    return locks.size() == 1 && locks.front().by_promises ? &locks.front() : nullptr;
  }

  const RunVerdict& run;
  std::vector<CellAssessment> cells;  // as in the run
  std::vector<LockAssessment> locks;
  CellCounts counts;
  Severity severity = Severity::nothing_judged;  // the worst of all cells
  StaleWrites stale;                             // sum over all cells with real processes
  // The most severe result: an unexpected violation, else a missed one, an error or an undecided cell, else an expected
  // violation, else an allowed one, else no cell. Among unexpected violations, one without a fault comes first, because
  // it explains those with faults.
  Finding severest;
  std::vector<CauseOnce> causes;  // causes of cells that are not as expected
  // Expected and allowed violations; empty if the run has too many cells for reports to list each.
  std::vector<const CellAssessment*> caught;
  std::vector<LockFinding> findings;         // set for a run of one lock
  std::vector<CaseGroup> groups;             // of the cases in which something was judged
  const CellAssessment* searched = nullptr;  // the search of schedules; null: there was none
  std::vector<NothingKnown> unknown;         // cases that are undecided, failed or were not tried
  std::vector<LeftOut> left_out;             // what could have shown something
  std::vector<LeftOut> not_needed;           // what does not apply, or is the same as another part
  int exit_code = 0;  // follows the grade of one lock; else 1 if something broke, 3 if nothing was judged
};

// `schedules`: found by a search, the cheapest of each cause first.
RunAssessment assess(const RunVerdict&, const std::vector<FoundSchedule>& schedules = {});

}  // namespace holdfast
