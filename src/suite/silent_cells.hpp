// Cells that told nothing of their lock.
//
// What a generated scenario, or a suite of other locks, asks for may not come up with this lock: the trigger of a fault
// never fires, or nobody but waiters is served. Such a cell is no pass, and no error either.
#pragma once

#include "artifact/run_verdict.hpp"

namespace holdfast {

// Moves such cells from `cells` to `not_tried`, with the reason, and takes what their faults proved out of `faults`.
// Where nothing else is left they stay, with nothing judged. The exit code is that of what remains.
void set_silent_cells_apart(RunVerdict& run);

// That a fault's moment came in none of several trials, and nothing else was wrong with them, is not the machine's
// doing: with this lock it does not come.
bool lacks_the_moment(const Cell& cell);

}  // namespace holdfast
