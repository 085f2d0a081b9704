// What a comparison keeps of one trial: the checker's verdict, what was measured, and what its picture needs.
#pragma once

#include <string>

#include "artifact/comparison.hpp"
#include "artifact/run_verdict.hpp"
#include "checker/service.hpp"

namespace holdfast {

struct TrialRecord {
  ComparedTrial shown;
  Service service;  // empty unless judged
};

// Reads the trial's history and verdict.json. `root`: the folder that result.folder is relative to; `prefix`: what
// shown.folder has before it. What cannot be read makes the trial a harness error.
TrialRecord record_of(const TrialResult& result, const std::string& root, const std::string& prefix);

}  // namespace holdfast
