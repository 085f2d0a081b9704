// Compares with an earlier result: what is new, fixed, still violated, or flaky.
//
//   Baseline old = read_baseline(json);                     // from a compare.json, or a run's verdict.json
//   comparison.changes = changes_since(old, comparison);    // without unchanged properties
//
// By property of a cell, with k violations in n judged trials, before and now:
//   new      0 of n before, some now
//   still    in every trial before and now
//   fixed    in every trial before, in none now
//   flaky    in some trials only, before or now: depends on chance; another run may differ
//   unknown  not in the baseline, or not judged there, and violated now; or violated there and not judged now
//
// Pure. Cells of a run are named without the suite, so `pause` matches `quick/pause`.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "artifact/comparison.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

struct Baseline {
  struct Counts {
    std::int64_t violated = 0;
    std::int64_t judged = 0;
  };
  bool of_run = false;
  std::map<std::string, std::map<std::string, Counts>> cells;  // "VARIANT\nSCENARIO" -> property
};

// Applies these rules; `before` null: not in the baseline.
Change change_between(const Baseline::Counts* before, const Baseline::Counts& now);

Baseline read_baseline(const nlohmann::json& json);  // throws BadInput

// Throws BadInput, with the baseline's cells, if none of them is in the comparison.
void check_baseline(const Baseline& before, const std::vector<ComparedVariant>& variants,
                    const std::vector<Scenario>& scenarios);

std::vector<ComparedChange> changes_since(const Baseline& before, const Comparison& now);

// The first that applies of 130 (interrupted), 1 (new violation), 5 (harness error), 3 (undecided or unknown), 4
// (nothing could run), 0.
int exit_code_of(const Comparison& comparison);

}  // namespace holdfast
