// One trial of a soak: a drawn scenario on the disk, and its result.
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
  // `name` becomes the scenario's name and must be unique in a soak. Throws BadInput if the scenario is invalid.
  SoakTrial(SuiteOptions options, nlohmann::json json, const Scenario& base, std::string lock, const std::string& name);

  StoredResult run(const std::atomic<bool>& interrupted) const;
  void remove() const;  // removes its files

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

// Violations that the scenario's expectations do not allow.
FindKinds unexpected_of(const TrialResult& result);

bool was_judged(const TrialResult& result);

}  // namespace holdfast
