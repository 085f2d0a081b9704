// The pieces of a verdict's JSON that have a file of their own. Callers outside artifact/ use verdict.hpp.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "artifact/shape.hpp"
#include "artifact/verdict.hpp"

namespace holdfast {

// Times beyond this are refused, so that differences of two of them always fit.
inline constexpr std::int64_t kFarthestNs = 4'000'000'000'000'000'000;

nlohmann::json timeline_json(const Timeline&);
nlohmann::json to_json(const FaultSpan&);
FaultSpan read_fault_span(Shape& in);       // throws BadInput
Timeline read_timeline(Shape in);           // throws BadInput
TrialVerdict read_trial_verdict(Shape in);  // throws BadInput

}  // namespace holdfast
