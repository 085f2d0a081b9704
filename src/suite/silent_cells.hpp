// Cells that showed nothing about their lock.
//
// A situation in a generated scenario, or in a suite for other locks, may not occur with this lock: a fault's injection
// point is never reached, or only waiters are served. Such a cell is neither a pass nor an error.
#pragma once

#include "artifact/run_verdict.hpp"

namespace holdfast {

// Moves such cells from `cells` to `not_tried`, with the reason, and removes their faults' proofs from `faults`. If no
// other cells remain, they stay, with nothing judged. The exit code is that of the remaining cells.
void set_silent_cells_apart(RunVerdict& run);

// Returns true if a fault's injection point was reached in none of several otherwise correct trials: this is due to the
// lock, not to the machine.
bool lacks_the_moment(const Cell& cell);

}  // namespace holdfast
