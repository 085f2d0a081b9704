// What a comparison keeps of one trial, and what a cell of it says of all its trials.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/run_verdict.hpp"
#include "checker/service.hpp"

namespace holdfast {

// What a comparison keeps of one trial: the checker's verdict, what was measured, and what its picture needs.

struct TrialRecord {
  ComparedTrial shown;
  Service service;  // empty unless judged
};

// Reads the trial's history and verdict.json. `root`: the folder that result.folder is relative to; `prefix`: what
// shown.folder has before it. What cannot be read makes the trial a harness error.
TrialRecord record_of(const TrialResult& result, const std::string& root, const std::string& prefix);

// From single trials to a cell: k of n for each property, and the service of all trials together. Pure.

ComparedLatency latency_of(const std::vector<std::int64_t>& ascending_ns);

// Sums; the longest gap and the slowest recovery are the worst of all; percentiles are of all waits together.
ServiceNumbers numbers_of(const std::vector<const Service*>& trials);

std::vector<std::int64_t> by_bin(const std::vector<std::int64_t>& granted_ns, std::int64_t load_ns);

std::vector<SafetyCount> safety_of(const std::vector<ComparedTrial>& trials);

std::vector<ComparedProperty> compared_properties(const TrialVerdict& verdict);

}  // namespace holdfast
