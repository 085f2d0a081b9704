// The pieces of a run's verdict that are read and written by more than one file. Callers outside artifact/ use
// run_verdict.hpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "artifact/run_verdict.hpp"
#include "artifact/shape.hpp"

namespace holdfast {

nlohmann::json to_json(const FaultProof&);
// The form of verdict.json; those before 4 have other words (docs/changes.md) and are refused.
inline constexpr std::int64_t kRunVersion = 4;

FaultProof read_proof(Shape& in);          // throws BadInput
TrialResult read_trial_result(Shape& in);  // throws BadInput

}  // namespace holdfast
