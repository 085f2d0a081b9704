// The cells of a generated suite before its first trial, which makes some of them: to list them, and to refuse at once
// what can be none of them.
//
//   check_foreseen(flags);                         // BadInput: --only matches no cell that there can be
//   const ForeseenCells all = foreseen_cells(flags);
//   for (const Cell& cell : plan_cells(all.sure)) ...
#pragma once

#include "cli/run_flags.hpp"
#include "suite/suite.hpp"

namespace holdfast {

struct ForeseenCells {
  SuiteOptions sure;      // whatever the trial shows
  SuiteOptions possible;  // those, and the ones that are made if a lock is seen to send a statement
};

// `flags.locks` has the locks. Nothing is chosen from them yet.
ForeseenCells foreseen_cells(const RunFlags& flags);

// Throws BadInput.
void check_foreseen(const RunFlags& flags);

}  // namespace holdfast
