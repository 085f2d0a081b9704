// The defects of one lock: each cause once, with all cases of a run that show it.
//
//   for (const LockFinding& one : findings_of(cells, schedules)) ...
//   one.cases             the cells none, crowd and lapses: the simplest leads
//   one.told.suggestion   a guess from the kind, or what controls say of a fault
//   one.schedule->cause   "between acquire.select and acquire.insert of one client, acquire.insert of another"
//
// A trial of real processes shows that the lock broke, and when; the order of its statements is a guess. A search of
// schedules knows it exactly. A finding includes it only if both violate the same, and if the schedule needs no fault
// that the trial did not have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/cell_assessment.hpp"
#include "reports/narration.hpp"

namespace holdfast {

inline constexpr const char* kNeedsNoFault = "no fault";

// A schedule that a search found.
struct FoundSchedule {
  std::string invariant;                           // the violated one: "two_holders"
  std::string property;                            // the same in a verdict's word
  std::string kind;                                // in the words of the faults that client processes meet
  std::string cause;                               // exactly, by statements
  std::string words;                               // "A A B B B A"
  std::string replay;                              // its file
  std::vector<std::vector<std::string>> faults{};  // for each fault in it, the equivalent ones for client processes
  std::string flaw{};                              // the mistake that it shows by itself, in sentences; empty: none
  std::string story{};                             // step by step, a column for each client
};

// One cause, with all that shows it.
struct LockFinding {
  Severity severity = Severity::nothing_judged;
  std::string kind;                // the checker's word: "foreign_release", "overrun"
  std::vector<const Cell*> cases;  // the simplest first
  bool without_fault = false;      // the simplest has no fault
  bool promised = true;            // a promise was broken; else it is what no lease prevents
  bool loads_differ = false;       // each case is a load that asks for something special: the reasons may differ, too
  Narration told;                  // the simplest case
  std::string flaw{};              // the lock's likely flaw, apart from the faults that show it
  bool confirmed = false;          // controls say that a fault is needed: the rest is the lock's flaw
  bool kind_names_flaw = false;    // its kind says what the lock does wrong
  bool flaw_of_schedule = false;   // its schedule does
  bool flaw_of_load = false;       // only one sort of load or fault shows it, which names it
  bool flaw_is_known() const { return flaw_of_schedule || flaw_of_load || kind_names_flaw; }
  std::string needs{};  // conditions to show it: "partition (5 of 5 controls without it held)", "no fault"
  std::optional<FoundSchedule> schedule{};  // a schedule with the same violation, and its exact cause
};

// Returns the words after the severity where no promise was broken: ", which a lease alone cannot prevent"; else empty.
std::string beyond_promise(const LockFinding&);

// Promises broken without any fault first, then all broken ones, then the worst.
std::vector<LockFinding> findings_of(const std::vector<CellAssessment>& cells,
                                     const std::vector<FoundSchedule>& schedules);

}  // namespace holdfast
