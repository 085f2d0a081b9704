// One trial of the pool: its plan, made to fit its lock, its folder, the run in a lab, the check, the comparison.
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

// Plans are made without knowing locks; here they get what is the lock's own. Its interface may take leases in whole
// seconds only: who wants 1900 ms asks it for 2 s, and is promised them; what the scenario asked for stays beside them
// (`asked_leases_ms` of plan.json). Where the scenario names no isolation level and no tick, they are the lock's.
Plan fitted_to_lock(Plan plan);

// Why the lock of the plan cannot have such a trial, whatever the machine; empty: it can. An adapter's statements,
// sessions and clocks are its own.
std::string cannot_have(const Plan& plan);

// A sentence for people, "A lease of 1900 ms was asked for, ..."; empty where all is promised as asked.
std::string told_rounding(const std::string& lock, const Load& asked);

// A run's seed, and which repetition with it a trial is.
struct RunSeed {
  std::uint64_t seed = 0;
  int repetition = 1;
};

class TrialJob {
 public:
  TrialJob(const SuiteOptions& options, const Scenario& scenario, std::string lock, int number)
      : options_(options), scenario_(scenario), lock_(std::move(lock)), number_(number) {}

  // Whatever goes wrong becomes the outcome of the trial. `met` gets the server and the stalls.
  TrialResult run(const std::atomic<bool>& interrupted, StoredResult& met);

  // A plan other than the trial's own, in a folder below it; judged, but compared with nothing.
  TrialResult run_beside(const Plan& plan, const std::string& folder, const std::atomic<bool>& interrupted,
                         StoredResult& met);

  Plan plan_of_trial() const;
  std::optional<Plan> plan_of_control() const;  // of the paired one

 private:
  // Runs a plan in a lab and judges its history; false: it could not, and `result` says why. In skipped time first,
  // where that is asked for; again in real time where the first one's clock is in doubt.
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

// Of a trial, relative to its run's folder.
std::string trial_folder(const std::string& lock, const std::string& scenario, int number);

// Adds the counts of one trial's fault to a run's list.
void add_proof(std::vector<FaultProof>& all, const FaultProof& one);

}  // namespace holdfast
