// Promises kept and broken by the locks of a run: for each lock, the cells in which it broke one, the inconclusive
// ones, and those with a violation that is allowed, by its excuse. The answer "does it hold?" is made of these.
//
//   for (const LockAssessment& lock : assess_locks(cells)) ...
//   lock.by_promises            whether all of its cells were judged by its promises alone
//   lock.past_lease.damaged     cells in which a lease was over and the data was damaged
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "reports/cell_assessment.hpp"
#include "reports/grade.hpp"

namespace holdfast {

// Cells with violations of one sort.
struct Overlaps {
  std::int64_t cells = 0;
  std::int64_t damaged = 0;  // of those: with damaged data, too
  std::int64_t judged = 0;   // of those: a trial judged whether the data was damaged
};

// One lock, whatever the variant of its connection.
struct LockAssessment {
  std::string lock;
  std::vector<const CellAssessment*> cells;
  bool by_promises = false;         // no scenario expects a violation of it, and what no lease prevents is allowed
  bool fenced = false;              // its grants carry tokens
  std::vector<const Cell*> broken;  // promises
  std::vector<const Cell*> silent;  // inconclusive ones
  Overlaps past_lease;              // as no lease prevents
  Overlaps forgotten;               // by the server
  Overlaps dropped;                 // a fault deleted the entries at the server
  Overlaps session_ended;           // the server ended the holder's session
  Overlaps excused;                 // by one of `causes`: overlaps, and what else is allowed under them
  std::set<std::string> causes;     // other than lost state, such as faults that the lock's documentation rules out
  std::int64_t late_writes = 0;     // the data alone

  bool lapsed = false;  // an allowed violation broke something that the server had not lost: tokens did not help
  LockGrade grade{};    // only where it is judged by its promises
};

// In the order of the cells, which are the caller's and must stay.
std::vector<LockAssessment> assess_locks(const RunVerdict&, const std::vector<CellAssessment>&);

}  // namespace holdfast
