// A comparison against an earlier result: what is new, fixed, still there, flaky.
//
//   Baseline old = read_baseline(json);                     // of a compare.json, or of a run's verdict.json
//   comparison.changes = changes_since(old, comparison);    // what is the same is left out
//
// By property of a cell, with k violations in n judged trials before and now:
//   new      0 of n before, some now
//   still    in every trial before and now
//   fixed    in every trial before, in none now
//   flaky    in some trials only, before or now: chance decides, and one run more may say otherwise
//   unknown  the baseline does not have it, or could not judge it, and now it is violated; or it was violated and now
//            no trial could judge it
//
// Pure. A run's cells have a scenario's name without its suite, so there `pause` stands for `quick/pause`.
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

// By these rules; `before` null: the baseline does not have it.
Change change_between(const Baseline::Counts* before, const Baseline::Counts& now);

Baseline read_baseline(const nlohmann::json& json);  // throws BadInput

// A baseline that has none of the cells is of something else: throws BadInput that says what it has.
void check_baseline(const Baseline& before, const std::vector<ComparedVariant>& variants,
                    const std::vector<Scenario>& scenarios);

std::vector<ComparedChange> changes_since(const Baseline& before, const Comparison& now);

// The first that applies of 130, 1 (something is new), 5, 3 (undecided or unknown), 4 (nothing could run), 0.
int exit_code_of(const Comparison& comparison);

}  // namespace holdfast
