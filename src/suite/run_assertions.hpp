// Sums the assertions of the locks' authors over all trials of each lock in a run. Pure.
//
//   verdict.assertions = run_assertions(verdict.cells);
//
// `sometimes` and `reached` need one trial of any cell: a retry that only a lost reply causes never happens in the
// cells without faults. Variants of a lock's connection count as the same lock.
#pragma once

#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

std::vector<AssertionRecord> run_assertions(const std::vector<Cell>& cells);

}  // namespace holdfast
