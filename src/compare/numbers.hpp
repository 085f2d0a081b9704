// From single trials to a cell: k of n for each property, and the service of all trials together. Pure.
#pragma once

#include <vector>

#include "artifact/comparison.hpp"
#include "checker/service.hpp"

namespace holdfast {

ComparedLatency latency_of(const std::vector<std::int64_t>& ascending_ns);

// Sums; the longest gap and the slowest recovery are the worst of all; percentiles are of all waits together.
ServiceNumbers numbers_of(const std::vector<const Service*>& trials);

std::vector<std::int64_t> by_bin(const std::vector<std::int64_t>& granted_ns, std::int64_t load_ns);

std::vector<SafetyCount> safety_of(const std::vector<ComparedTrial>& trials);

std::vector<ComparedProperty> compared_properties(const TrialVerdict& verdict);

}  // namespace holdfast
