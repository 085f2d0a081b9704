#include "doctor/doctor.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"
#include "doctor/lab_probe.hpp"
#include "doctor/resources.hpp"
#include "doctor/time_probe.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"
#include "servers/server_type.hpp"
#include "suite/check_names.hpp"
#include "suite/trial_job.hpp"
#include "suite/trial_pool.hpp"

namespace holdfast {
namespace {

using nlohmann::ordered_json;

// Kinds of server that a short trial can use; first the one that every trial needs for the resource.
std::vector<const ServerType*> services() {
  std::vector<const ServerType*> out;
  for (const auto& [name, type] : server_types()) {
    if (*type->plain_lock != '\0') out.push_back(type);
  }
  std::stable_partition(out.begin(), out.end(), [](const ServerType* type) { return type->holds_resource(); });
  return out;
}

// Trials of the first kind have no kind in their name.
std::string named(const ServerType& service, const std::string& what) {
  return &service == services().front() ? what : what + " on " + service.title;
}

std::string server_name(const ServerType& service, const std::string& topology) {
  return topology == service.topologies.front().name ? service.title : named(service, topology);
}

ordered_json short_trial(const ServerType& service, const std::string& topology) {
  return {{"locks", {service.plain_lock}}, {"clients", 3},  {"topology", topology}, {"lease_ms", 1000},
          {"hold_ms", {20, 60}},           {"poll_ms", 20}, {"duration_ms", 1500},  {"expect", ordered_json::object()}};
}

std::optional<DoctorTrial> trial(const std::string& folder, const std::string& part, const std::string& name,
                                 const ordered_json& scenario) {
  const std::string file = folder + "/" + name + ".json";
  write_text_file(file, text_of_json(scenario, 1) + "\n");
  DoctorTrial out{part, name, load_scenario(file), scenario["locks"][0]};
  try {
    check_names(out.scenario);
  } catch (const BadInput&) {
    return std::nullopt;  // this combination is invalid
  }
  return out;
}

std::optional<DoctorTrial> fault_trial(const std::string& folder, const ServerType& service, const std::string& fault,
                                       const FaultType& type) {
  for (const auto& topology : service.topologies) {
    ordered_json scenario = short_trial(service, topology.name);
    ordered_json entry{{"fault", fault}};
    entry.update(ordered_json(parse_json(type.example, fault)));
    scenario["faults"] = {entry};
    if (auto found = trial(folder, "fault", named(service, fault), scenario)) return found;
  }
  return std::nullopt;
}

void add_needs(const Settings& settings, const std::string& lock, std::set<std::string>& out) {
  const ServerType& service = server_type(find_entry(locks(), parse_lock_ref(lock).lock)->server);
  const ServerType& first = *services().front();
  out.insert(server_name(service, settings.server.topology));
  out.insert(resource_type(service).title);
  for (const auto& fault : settings.faults) {
    out.insert(named(strikes_servers(fault) ? service : first, fault.fault));
    if (fault_type(fault).needs_any(&CapabilityFacts::filters_packets)) out.insert(kPacketFilter);
  }
}

constexpr std::uint64_t kSeed = 1;
constexpr const char* kLookCloser =
    "try again with --jobs 1, in case this machine is busy or allows few processes (ulimit -u, a container's "
    "pids.max); "
    "--out FOLDER keeps the logs";

// The server's name and version, once it has answered.
std::string server_in(const std::string& folder) {
  try {
    return read_trial_facts(InputFile::in(folder, "facts.json")).server;
  } catch (const BadInput&) {
    return "";  // it does not exist, or the trial had read it before
  }
}

// Removes the fault's name from the start of an error; it is shown next to it anyway.
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
      one.says = "no evidence that it acted";
      return;
    }
    one.says = fault.detail;
  }
}

class Examiner {
 public:
  Examiner(const DoctorOptions& options, const DoctorProgress& progress, const std::atomic<bool>& interrupted, int jobs)
      : progress_(progress), interrupted_(interrupted), jobs_(jobs) {
    suite_.folder = options.folder;
    suite_.seed = kSeed;
    suite_.sabotage = options.sabotage;
    const std::string scenarios = options.folder + "/scenarios";
    RunDirectory(options.folder).make_folders("scenarios");
    const auto needs = needs_of(options.scenarios);
    for (auto& trial : doctor_trials(scenarios)) {
      const bool needed = needs.count(trial.name) > 0;
      if (options.only_needed && !needed) continue;
      found_.push_back({trial.part, trial.name, Health::not_tried, "", "", needed, 0});
      trials_.push_back(std::move(trial));
    }
  }

  void run() {
    std::vector<PoolJob> jobs;
    for (const auto& trial : trials_) jobs.push_back(job_of(trial, jobs.size()));
    TrialWork work;
    work.next = in_order(std::move(jobs));
    work.done = [this](std::size_t at, const StoredResult& ended) { return take(at, ended.result); };
    TrialEnvironment environment;
    run_trials(work, jobs_, interrupted_, environment);
  }

  const std::vector<Examination>& found() const { return found_; }

 private:
  PoolJob job_of(const DoctorTrial& trial, std::size_t number) const {
    const auto run = [this, &trial](bool) {
      StoredResult ended;
      ended.result = TrialJob(suite_, trial.scenario, trial.lock, 1).run(interrupted_, ended);
      return ended;
    };
    return {number, run};
  }

  // Returns true if the trial should be repeated: a missing prerequisite will still be missing.
  bool take(std::size_t at, const TrialResult& result) {
    read_result(result, suite_.folder + "/" + result.folder, found_[at]);
    progress_(++done_, static_cast<int>(trials_.size()));
    return found_[at].health == Health::failed && result.outcome != Outcome::unavailable;
  }

  const DoctorProgress& progress_;
  const std::atomic<bool>& interrupted_;
  int jobs_;
  SuiteOptions suite_;
  std::vector<DoctorTrial> trials_;
  std::vector<Examination> found_;
  int done_ = 0;
};

}  // namespace

std::vector<DoctorTrial> doctor_trials(const std::string& folder) {
  std::vector<DoctorTrial> out;
  for (const ServerType* service : services()) {
    for (const auto& topology : service->topologies) {
      const std::string word = server_name(*service, topology.name);
      auto found = trial(folder, "server", word, short_trial(*service, topology.name));
      if (found) out.push_back(std::move(*found));
    }
  }
  for (const auto& [name, type] : faults()) {
    bool any = false;
    for (const ServerType* service : services()) {
      // Faults of clients do not depend on the kind of lock service.
      if (any && !type->strikes_servers()) continue;
      auto found = fault_trial(folder, *service, name, *type);
      if (found) out.push_back(std::move(*found));
      any = any || found;
    }
    if (!any) throw HarnessError("fault " + name + ": its example is not a valid scenario");
  }
  return out;
}

std::set<std::string> needs_of(const std::vector<Scenario>& scenarios) {
  std::set<std::string> out;
  for (const auto& scenario : scenarios) {
    for (const auto& lock : scenario.locks) {
      add_needs(scenario.settings_of(lock), lock, out);
      const PairedControl* control = scenario.control_of(lock);
      if (control != nullptr) add_needs(control->settings, control->lock.empty() ? lock : control->lock, out);
    }
  }
  return out;
}

Diagnosis diagnose(const DoctorOptions& options, const DoctorProgress& progress, const std::atomic<bool>& interrupted) {
  Diagnosis out;
  out.suite = options.suite;
  out.all = probe_lab(options.folder + "/probe");
  out.all.back().needed = needs_of(options.scenarios).count(kPacketFilter) > 0;
  const bool lab = out.all[0].health == Health::ok && out.all[1].health == Health::ok;
  if (lab) out.all.push_back(probe_time(options.folder + "/time"));
  const Room room = room_in(options.runs);
  for (auto& one : examine_room(room, options.runs)) out.all.push_back(one);
  out.all.push_back(examine_waits());
  Examiner examiner(options, progress, interrupted, jobs_in(room, options.jobs));
  if (lab) examiner.run();
  for (const auto& one : examiner.found()) out.all.push_back(one);
  for (auto& one : out.all) {
    if (one.health == Health::failed && one.remedy.empty()) one.remedy = kLookCloser;
  }
  return out;
}

}  // namespace holdfast
