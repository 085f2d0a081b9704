// The most severe thing that came out of a cell, which a report shows first of it, and where it stands.
//
//   const Finding f = finding_of(run, cell);
//   if (f.witness) ... f.cell->lock, f.property->kind, f.witness->from_ns ...
//
// Pointers go into the RunVerdict, which must stay. Any of them may be null: an empty run has no cell, an undecided
// cell no witness.
#pragma once

#include <string>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct Finding {
  const Cell* cell = nullptr;
  const TrialResult* trial = nullptr;
  const PropertyVerdict* property = nullptr;
  const Witness* witness = nullptr;
  // If another client's release or renewal came first: the violation that followed from it, which is not the cause.
  const PropertyVerdict* next_property = nullptr;
  const Witness* next = nullptr;
};

// The first trial that came out as its cell did; of it the most severe property that makes it so.
Finding finding_of(const Cell&);
Finding finding_of(const Cell&, const TrialResult&);

// If the run was compared with a baseline and something in the cell is new, returns that, not a worse violation that is
// known. A run's reports show this one.
Finding finding_of(const RunVerdict&, const Cell&);

}  // namespace holdfast
