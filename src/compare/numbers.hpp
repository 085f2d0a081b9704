// The numbers that a comparison keeps of each trial, and their totals per cell.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/run_verdict.hpp"
#include "checker/service.hpp"

namespace holdfast {

// One trial in a comparison: the verdict, measurements, and data for its diagram.

struct TrialRecord {
  ComparedTrial shown;
  Service service;  // empty unless judged
};

// Reads the trial's history and verdict.json. `root`: the folder that result.folder is relative to; `prefix`: put
// before it in shown.folder. Unreadable files make the trial a harness error.
TrialRecord record_of(const TrialResult& result, const std::string& root, const std::string& prefix);

// Totals of a cell: k of n for each property, and the combined service of all trials. Pure.

ComparedLatency latency_of(const std::vector<std::int64_t>& ascending_ns);

// Adds counts; the longest gap and slowest recovery are maxima over all trials; percentiles use the waits of all
// trials.
ServiceNumbers numbers_of(const std::vector<const Service*>& trials);

std::vector<std::int64_t> by_bin(const std::vector<std::int64_t>& granted_ns, std::int64_t load_ns);

std::vector<SafetyCount> safety_of(const std::vector<ComparedTrial>& trials);

std::vector<ComparedProperty> compared_properties(const TrialVerdict& verdict);

}  // namespace holdfast
