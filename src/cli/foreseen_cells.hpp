// The cells of a generated suite before its first trial, which determines some of them: for listing, and to refuse
// impossible ones early.
//
//   check_foreseen(flags);                         // throws BadInput if --only matches no possible cell
//   const ForeseenCells all = foreseen_cells(flags);
//   for (const Cell& cell : plan_cells(all.sure)) ...
#pragma once

#include "cli/run_flags.hpp"
#include "suite/suite.hpp"

namespace holdfast {

struct ForeseenCells {
  SuiteOptions sure;      // independent of the trial
  SuiteOptions possible;  // those, plus the ones that depend on statements the lock may send
};

// `flags.locks` must have the locks. No cells are selected yet.
ForeseenCells foreseen_cells(const RunFlags& flags);

// Throws BadInput.
void check_foreseen(const RunFlags& flags);

}  // namespace holdfast
