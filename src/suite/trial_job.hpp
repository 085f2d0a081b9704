// One trial of the pool: fits its plan to the lock, runs it in a lab, and checks and compares the result.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "artifact/plan.hpp"
#include "artifact/run_verdict.hpp"
#include "artifact/scenario.hpp"
#include "lab/launch_lab.hpp"
#include "plan/make_plan.hpp"
#include "suite/stored_result.hpp"
#include "suite/suite.hpp"

namespace holdfast {

// Completes a plan, which was made independently of locks, with the lock's own values. Its interface may accept leases
// in whole seconds only: for 1900 ms it is asked for 2 s, which is then the promise; the requested lease is kept
// (`asked_leases_ms` of plan.json). An isolation level or tick that the scenario does not set is the lock's.
Plan fitted_to_lock(Plan plan);

// Why the plan's lock cannot have such a trial on any machine; empty: it can. An adapter's statements, sessions and
// clocks are its own.
std::string cannot_have(const Plan& plan);

// A sentence about rounding, "A lease of 1900 ms was asked for, ..."; empty: everything is promised as requested.
std::string told_rounding(const std::string& lock, const Load& asked);

// A run's seed, and the number of the trial's repetition with it.
struct RunSeed {
  std::uint64_t seed = 0;
  int repetition = 1;
};

class TrialJob {
 public:
  TrialJob(const SuiteOptions& options, const Scenario& scenario, std::string lock, int number)
      : options_(options), scenario_(scenario), lock_(std::move(lock)), number_(number) {}

  // Every failure becomes the outcome of the trial. `met` receives the server and the stalls.
  TrialResult run(const std::atomic<bool>& interrupted, StoredResult& met);

  // Runs another plan in a subfolder of the trial; judged, but not compared with an expectation.
  TrialResult run_beside(const Plan& plan, const std::string& folder, const std::atomic<bool>& interrupted,
                         StoredResult& met);

  Plan plan_of_trial() const;
  std::optional<Plan> plan_of_control() const;  // of the paired control

 private:
  // Runs a plan in a lab and judges its history; returns false with the reason in `result` if that fails. Uses skipped
  // time first, if requested; repeats in real time if that trial's clock is in doubt.
  bool execute(const Plan& plan, TrialResult& result, const std::atomic<bool>& interrupted, StoredResult& met);
  bool execute_in(TimeMode time, const Plan& plan, TrialResult& result, const std::atomic<bool>& interrupted,
                  StoredResult& met);
  LabEnd launch(TimeMode time, const Plan& plan, const std::string& folder, const std::atomic<bool>& interrupted);
  void prepare(const Plan& plan, const std::string& trial) const;
  void judge(const Plan& plan, TrialResult& result) const;
  void run_control(TrialResult& result, const std::atomic<bool>& interrupted, StoredResult& met);
  RunSeed seed_of_trial() const;

  const SuiteOptions& options_;
  const Scenario& scenario_;
  std::string lock_;
  int number_;
};

// Path of a trial, relative to its run's folder.
std::string trial_folder(const std::string& lock, const std::string& scenario, int number);

// Adds the counts of one trial's fault to a run's list.
void add_proof(std::vector<FaultProof>& all, const FaultProof& one);

}  // namespace holdfast
