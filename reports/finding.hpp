// What a report shows first of a cell or of a run: the most severe thing that came out, and where it stands.
//
//   const Finding f = severest_finding(run);
//   if (f.witness) ... f.cell->lock, f.property->kind, f.witness->from_ns ...
//
// Pointers go into the RunVerdict, which must stay. Any of them may be null: an empty run has no cell, an undecided
// cell no witness.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct Finding {
  const Cell* cell = nullptr;
  const TrialResult* trial = nullptr;
  const PropertyVerdict* property = nullptr;
  const Witness* witness = nullptr;
  // Where a release or renewal of a stranger came first: the violation that followed from it, which is no cause.
  const PropertyVerdict* next_property = nullptr;
  const Witness* next = nullptr;
};

// The first trial that came out as its cell did; of it the most severe property that makes it so.
Finding finding_of(const Cell&);
Finding finding_of(const Cell&, const TrialResult&);

// Of a run that was compared with a baseline, where something in the cell is new: that, and not what is worse and
// known. A run's reports tell this one.
Finding finding_of(const RunVerdict&, const Cell&);

// Whether real processes ran it and nothing was done to them: what came out is the lock's own doing.
bool without_fault(const Cell&);

// Unexpected violations before missed ones, and those before errors and undecided cells; a violation that was expected
// when there is nothing worse, then one that is allowed; else no cell at all. Among unexpected ones a cell without any
// fault comes first: what breaks there explains what breaks elsewhere.
Finding severest_finding(const RunVerdict&);

// Cells that are not as expected, in the order of the matrix; not those that could not run here, or did not.
std::vector<const Cell*> not_as_expected(const RunVerdict&);

// Violations that were expected, or are allowed, in a run of so few cells that somebody wants to hear of each; else
// none. A report of many cells has them in its matrix, and the page has all stories.
std::vector<const Cell*> caught_and_told(const RunVerdict&);

}  // namespace holdfast
