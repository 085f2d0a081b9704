// The facts that every report uses of one cell, judged once: its most severe finding, how bad it is, which faults
// struck, whether its lock has tokens, and how it stands against the baseline.
//
//   const CellAssessment a = assess_cell(run, run.cells[0]);
//   a.severity              Severity::two_believed
//   a.told.witness->text    the violation that a report shows first
//   faults_text(a)          "kill and pause"
//
// Pointers go into the RunVerdict, which must stay.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "artifact/run_verdict.hpp"
#include "reports/finding.hpp"
#include "reports/run_changes.hpp"
#include "reports/severity.hpp"

namespace holdfast {

struct CellAssessment {
  const Cell* cell = nullptr;
  Finding told;                                  // the finding that a report shows first; against a baseline a new one
  Severity severity = Severity::nothing_judged;  // the worst of its trials
  Severity broken = Severity::nothing_broke;     // the worst violation that breaks a promise
  const TrialResult* worst = nullptr;            // the first trial of that severity; null: no trial
  StaleWrites stale;                             // sum over all its trials
  std::set<std::string> faults;                  // the planned ones
  std::set<std::string> confirmed;               // kinds for which controls confirm a fault as the cause
  bool fenced = false;                           // the grants of its lock carry tokens
  bool explored = false;                         // a search of schedules, and no real processes
  bool data_judged = false;                      // some trial judged whether the data was damaged
  Novelty novelty = Novelty::news;

  // True if real processes ran it without any fault, so that the lock broke by itself.
  bool without_fault() const { return !explored && !cell->trials.empty() && faults.empty(); }
};

CellAssessment assess_cell(const RunVerdict&, const Cell&);

// Returns true if the server forgot a grant that it had acknowledged, which no client prevents.
bool is_of_lost_state(const std::string& kind);

// Returns true if a violation breaks a promise of the lock. A search has no expectations: there the kind decides, and
// what no lease prevents breaks none.
bool breaks_promise(const Cell&, const TrialResult&, const PropertyVerdict&);

// The same of violations by their kinds, where no scenario says what is allowed. Without a kind it breaks one.
bool break_promises(const std::map<std::string, std::int64_t>& kinds);

// "pause", "kill and pause"; "no fault"; of a violation that is allowed without any, that a job outlasted its lease.
std::string faults_text(const CellAssessment&);

// The lock's name without the variant of its connection.
std::string lock_name(const std::string& lock);

}  // namespace holdfast
