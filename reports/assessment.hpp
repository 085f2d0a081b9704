// The assessment of a run: every fact that a report draws from the verdict, computed once. Reports only word it.
//
//   const RunAssessment found = assess(verdict);
//   found.severity                     Severity::data_damaged
//   found.cells[3].told.witness        the violation that a report shows first of the fourth cell
//   found.findings.front().cases       the cells pause_critical_section and lapses: the simplest leads
//   say("{}", matrix_text(found, true));
//
// It judges no history: judgements that the verdicts leave open stay open. Pure; pointers go into the RunVerdict,
// which must stay.
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
  std::map<Novelty, std::int64_t> not_as_expected;  // unexpected or missed, by how they stand against the baseline
  std::int64_t unfinished = 0;                      // at least one trial is missing
  std::int64_t controls = 0;                        // caught flaws with a control, which held
  std::int64_t causes = 0;                          // of caught flaws, confirmed by controls

  std::int64_t of(Outcome) const;
  std::int64_t wrong(Novelty) const;
  std::int64_t good() const;  // as expected, caught ones too
  std::int64_t cells() const;
};

// Cases in which the same faults strike, at different points, and which ended alike.
struct CaseGroup {
  Severity end = Severity::nothing_broke;  // two_believed also where the resource refused all stale writes
  std::string faults;                      // "pause", "kill and pause"; "no fault"
  std::vector<std::string> cases;          // names of scenarios
  std::int64_t refused = 0;                // stale writes
  int all = 0;                             // judged cases of these faults
};

// Cases without a judgement, by the reason.
struct NothingKnown {
  std::string why;
  std::vector<std::string> cases;
  bool tried = false;  // without a verdict
};

// Parts of a generated suite that were left out, by the reason: several may share one.
struct LeftOut {
  std::string why;
  std::string what;  // names, with commas between them; with their lock, where only some locks leave it out

  std::string text() const { return what + ": not tried, because " + why; }
};

struct RunAssessment {
  explicit RunAssessment(const RunVerdict& of) : run(of) {}
  RunAssessment(const RunAssessment&) = delete;  // its parts point at each other
  RunAssessment(RunAssessment&&) = default;

  // The lock of a run that grades only this one; null: none.
  const LockAssessment* graded() const {
    return locks.size() == 1 && locks.front().by_promises ? &locks.front() : nullptr;
  }

  const RunVerdict& run;
  std::vector<CellAssessment> cells;  // as in the run
  std::vector<LockAssessment> locks;
  CellCounts counts;
  Severity severity = Severity::nothing_judged;  // the worst of all cells
  StaleWrites stale;                             // sum over all real processes
  // Unexpected violations before missed ones, and those before errors and undecided cells; a violation that was
  // expected when there is nothing worse, then one that is allowed; else no cell at all. Among unexpected ones a cell
  // without any fault comes first: what breaks there explains what breaks elsewhere.
  Finding severest;
  std::vector<CauseOnce> causes;  // causes of cells that are not as expected
  // Expected and allowed violations; empty unless the run has so few cells that reports list each.
  std::vector<const CellAssessment*> caught;
  std::vector<LockFinding> findings;         // set for a run of one lock
  std::vector<CaseGroup> groups;             // cases in which something was judged
  const CellAssessment* searched = nullptr;  // the search of schedules; null: there was none
  std::vector<NothingKnown> unknown;         // undecided, failed, not tried
  std::vector<LeftOut> left_out;
  int exit_code = 0;  // follows the grade of one lock; else 1 if something broke, 3 if nothing was judged
};

// `schedules`: that a search found, the cheapest of a cause first.
RunAssessment assess(const RunVerdict&, const std::vector<FoundSchedule>& schedules = {});

}  // namespace holdfast
