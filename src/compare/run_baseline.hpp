// A run against an earlier one: what of that which is not as expected is new.
//
//   const RunBaseline before = read_run_baseline(json);        // what --write-baseline kept, or a run's verdict.json
//   check_baseline(before, cells);                             // BadInput where it has none of them
//   run.changes = changes_since(before, run);
//   run.exit_code = exit_code_of(run);                         // 1 only for what is new (suite/expectation.hpp)
//
// By property of a cell, with k trials not as expected of n judged ones before and now, in the words of a comparison:
// new, still, fixed, flaky, unknown (compare/baseline.hpp); but what is not as expected in a cell that the baseline
// does not have is new. A trial counts as not as expected if the property was violated and nobody expected that, or was
// expected to be violated and was not; one in which it was not decided is not judged. Beside the properties there is
// `control`, the paired control of a flaw that was caught.
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

nlohmann::json baseline_json(const RunVerdict& run);        // what a later run is compared with, and can be kept
RunBaseline read_run_baseline(const nlohmann::json& json);  // throws BadInput

void check_baseline(const RunBaseline& before, const std::vector<Cell>& cells);

std::vector<RunChange> changes_since(const RunBaseline& before, const RunVerdict& now);

}  // namespace holdfast
