// Compares a run with an earlier one: which unexpected results are new.
//
//   const RunBaseline before = read_run_baseline(json);        // from --write-baseline, or a run's verdict.json
//   check_baseline(before, cells);                             // BadInput where it has none of them
//   run.changes = changes_since(before, run);
//   run.exit_code = exit_code_of(run);                         // 1 only for what is new (suite/expectation.hpp)
//
// By property of a cell, with k unexpected of n judged trials before and now, in the terms of a comparison: new, still,
// fixed, flaky, unknown (compare/baseline.hpp). An unexpected result is new if the baseline has no result. A trial is
// unexpected if the property was violated against the expectation, or was not violated although that was expected; an
// undecided trial is not judged. `control` stands for the paired control of a caught flaw.
//
// Pure.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"

namespace holdfast {

struct RunBaseline {
  struct Counts {
    std::int64_t bad = 0;
    std::int64_t judged = 0;
  };
  std::map<std::string, std::map<std::string, Counts>> cells;  // LOCK/SCENARIO -> property
};

RunBaseline baseline_of(const RunVerdict& run);

nlohmann::json baseline_json(const RunVerdict& run);        // a later run can be compared with it
RunBaseline read_run_baseline(const nlohmann::json& json);  // throws BadInput

void check_baseline(const RunBaseline& before, const std::vector<Cell>& cells);

std::vector<RunChange> changes_since(const RunBaseline& before, const RunVerdict& now);

}  // namespace holdfast
