// The pieces of a run's verdict that are read and written by more than one file. Callers outside artifact/ use
// run_verdict.hpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "artifact/run_verdict.hpp"
#include "artifact/shape.hpp"

namespace holdfast {

nlohmann::json to_json(const FaultProof&);
// 2 has a cell's `suite` and `planned`, and the run's `seeds` and `stopped`; 3 a trial's `causes`, the run's
// `not_tried`, and the outcome `nothing_judged`. Files of versions 1 and 2 are read as well.
inline constexpr std::int64_t kRunVersion = 3;

FaultProof read_proof(Shape& in);                                              // throws BadInput
TrialResult read_trial_result(Shape& in, std::int64_t version = kRunVersion);  // throws BadInput

}  // namespace holdfast
