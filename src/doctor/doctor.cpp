#include "doctor/doctor.hpp"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "artifact/beneath.hpp"
#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "doctor/doctor_trials.hpp"
#include "doctor/lab_probe.hpp"
#include "doctor/machine_room.hpp"
#include "lab/workers.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr const char* kLookCloser =
    "try again with --jobs 1, in case this machine is busy or allows few processes (ulimit -u, a container's "
    "pids.max); "
    "--out FOLDER keeps the logs";

// The server's own name for itself, once it answered.
std::string server_in(const std::string& folder) {
  const std::string file = folder + "/facts.json";
  if (!std::filesystem::exists(file)) return "";
  try {
    return read_trial_facts(file).server;
  } catch (const BadInput&) {
    return "";  // the trial had read it before
  }
}

// A fault's error begins with its name, which stands beside it here anyway.
std::string without_name(const std::string& error) {
  const auto colon = error.find(": ");
  return error.rfind("fault ", 0) == 0 && colon != std::string::npos ? error.substr(colon + 2) : error;
}

void read_result(const TrialResult& result, const std::string& folder, Examination& one) {
  one.seconds = result.seconds;
  if (result.outcome == Outcome::unavailable || result.outcome == Outcome::harness_error) {
    explain(one, without_name(result.error));
    const bool absent = result.outcome == Outcome::unavailable && !one.needed;
    one.health = absent ? Health::unavailable : Health::failed;
    return;
  }
  one.health = Health::ok;
  one.says = one.part == "server" ? server_in(folder) : "";
  for (const auto& fault : result.faults) {
    if (fault.acted == 0) {
      one.health = Health::failed;
      one.says = "it was not seen to act";
      return;
    }
    one.says = fault.detail;
  }
}

class Surgery {
 public:
  Surgery(const DoctorOptions& options, const DoctorProgress& progress, const std::atomic<bool>& interrupted, int jobs)
      : progress_(progress), interrupted_(interrupted), jobs_(jobs) {
    suite_.folder = options.folder;
    suite_.seed = kSeed;
    suite_.sabotage = options.sabotage;
    const std::string scenarios = options.folder + "/scenarios";
    Beneath(options.folder).make_folders("scenarios");
    const auto needs = needs_of(options.scenarios);
    for (auto& trial : doctor_trials(scenarios)) {
      const bool needed = needs.count(trial.name) > 0;
      if (options.only_needed && !needed) continue;
      found_.push_back({trial.part, trial.name, Health::not_tried, "", "", needed, 0});
      trials_.push_back(std::move(trial));
    }
  }

  void run() {
    side_by_side(jobs_, [this](int) {
      for (std::size_t at = 0; (at = next_++) < trials_.size();) examine(at);
    });
    for (std::size_t at = 0; at < trials_.size(); ++at) {
      if (found_[at].health == Health::failed && absent_.count(at) == 0) examine(at);
    }
  }

  const std::vector<Examination>& found() const { return found_; }

 private:
  void examine(std::size_t at) {
    if (interrupted_.load()) return;
    const DoctorTrial& trial = trials_[at];
    TrialJob job(suite_, trial.scenario, trial.lock, 1);
    StoredResult met;
    const TrialResult result = job.run(interrupted_, met);
    if (interrupted_.load()) return;
    const std::lock_guard guard(mutex_);
    read_result(result, suite_.folder + "/" + result.folder, found_[at]);
    if (result.outcome == Outcome::unavailable) absent_.insert(at);
    progress_(++done_, static_cast<int>(trials_.size()));
  }

  const DoctorProgress& progress_;
  const std::atomic<bool>& interrupted_;
  int jobs_;
  SuiteOptions suite_;
  std::vector<DoctorTrial> trials_;
  std::vector<Examination> found_;
  std::set<std::size_t> absent_;  // what is not there will not be there a moment later
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  int done_ = 0;
};

}  // namespace

Diagnosis diagnose(const DoctorOptions& options, const DoctorProgress& progress, const std::atomic<bool>& interrupted) {
  Diagnosis out;
  out.suite = options.suite;
  out.all = probe_lab(options.folder + "/probe");
  out.all.back().needed = needs_of(options.scenarios).count(kPacketFilter) > 0;
  const bool lab = out.all[0].health == Health::ok && out.all[1].health == Health::ok;
  const Room room = room_in(options.runs);
  for (auto& one : examine_room(room, options.runs)) out.all.push_back(one);
  out.all.push_back(examine_waits());
  Surgery surgery(options, progress, interrupted, jobs_in(room, options.jobs));
  if (lab) surgery.run();
  for (const auto& one : surgery.found()) out.all.push_back(one);
  for (auto& one : out.all) {
    if (one.health == Health::failed && one.remedy.empty()) one.remedy = kLookCloser;
  }
  return out;
}

}  // namespace holdfast
