// One trial of a soak: a scenario that was drawn, on the disk, and what it showed.
#pragma once

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "artifact/scenario.hpp"
#include "suite/stored_result.hpp"
#include "suite/suite.hpp"

namespace holdfast {

// "mutual_exclusion:algorithm", the most severe property first.
using FindKinds = std::vector<std::string>;

class SoakTrial {
 public:
  // `name` becomes the scenario's: no two trials of a soak share one. Throws BadInput where the scenario makes no
  // sense.
  SoakTrial(SuiteOptions options, nlohmann::json json, const Scenario& base, std::string lock, const std::string& name);

  StoredResult run(const std::atomic<bool>& interrupted) const;
  void remove() const;  // what it left

  const nlohmann::json& json() const { return json_; }
  const std::string& lock() const { return lock_; }
  const std::string& name() const { return scenario_.name; }
  std::uint64_t seed() const { return options_.seed; }

 private:
  SuiteOptions options_;
  nlohmann::json json_;
  std::string lock_;
  Scenario scenario_;
};

// What was violated, and is not allowed by what the scenario expects.
FindKinds unexpected_of(const TrialResult& result);

bool was_judged(const TrialResult& result);

}  // namespace holdfast
