#include "suite/trial_job.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "artifact/json_text.hpp"
#include "artifact/plan.hpp"
#include "artifact/run_directory.hpp"
#include "checker/check.hpp"
#include "hosts/remote_keeper.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "nemesis/fault.hpp"
#include "servers/server_type.hpp"
#include "servers/target.hpp"
#include "suite/documented.hpp"
#include "suite/expectation.hpp"
#include "suite/trial_end.hpp"

namespace holdfast {
namespace {

std::vector<std::int64_t> leases_of(const Load& load) {
  return load.leases_ms.empty() ? std::vector<std::int64_t>{load.lease_ms} : load.leases_ms;
}

std::vector<std::int64_t> promised(const LockType& type, std::vector<std::int64_t> leases_ms) {
  for (auto& lease_ms : leases_ms) lease_ms = promised_lease_ms(type, lease_ms);
  return leases_ms;
}

std::string list_of(const std::vector<std::int64_t>& leases_ms) {
  std::string out;
  for (const auto lease_ms : leases_ms) out += (out.empty() ? "" : ", ") + std::to_string(lease_ms);
  return out + " ms";
}

// Ability that a fault needs from a lock's own program and that it does not declare; empty: none.
std::string cannot_itself(const FaultSpec& spec, const Manifest& manifest) {
  for (const auto need : fault_type(spec).needs) {
    std::string word = facts_of(need).can;
    if (!word.empty() && !manifest.can_do(word)) return word;
  }
  return "";
}

// A scheduler begins jobs of any lock, while a client's thread waits for those of one.
bool has_keys_of_its_own(const Load& load) {
  for (std::uint32_t client = 0; client < load.clients; ++client) {
    if (keys_of_client(load, client).size() > 1) return false;
  }
  return true;
}

bool can_cancel(const LockType& type) {
  return type.manifest != nullptr && type.waits && type.manifest->can_do("cancel");
}

constexpr const char* kEnd = ": not possible on a --target";

bool has_own_settings(const ServerSettings& server) {
  return !server.own.empty() || server.topology != ServerSettings{}.topology;
}

// Null: a fault of the kind needs no part of a lab.
const char* lab_part_of(const FaultSpec& spec) {
  for (const auto need : fault_type(spec).needs) {
    if (facts_of(need).lab_only) return facts_of(need).lab_part;
  }
  return nullptr;
}

// Without a relay a request is a statement that holdfast itself sends in an operation (control_page.hpp). Only a relay
// sees an adapter's requests, and background ones.
bool needs_relay(const LockType& type, const InjectionPoint& at) {
  return at.request > 0 && (at.of == "background" || type.manifest != nullptr);
}

// Why a target, a server of the user's own, cannot carry out the plan; empty: it can.
std::string not_on_target(const Plan& plan, const Target& target) {
  const LockType& lock = type_of_ref(plan.lock);
  const ServerType& type = server_type(lock.server);
  if (lock.server != target.server) return std::string("this lock needs a ") + type.url.scheme + ":// target";
  if (lock.file != nullptr) {
    return std::string("holdfast cannot remove what a file of statements leaves on a server") + kEnd;
  }
  if (type.names_keys && !plan.load.key_texts.empty()) {
    return std::string("the scenario names its keys, and on a ") + type.title +
           " target the keys of a killed run would remain" + kEnd;
  }
  for (const auto& spec : plan.faults) {
    if (const char* part = lab_part_of(spec)) return spec.fault + " needs " + part + kEnd;
    const bool relayed = needs_relay(lock, spec.at) || (spec.until && needs_relay(lock, *spec.until));
    if (relayed) return spec.fault + " at such a request needs " + kLabRelay + kEnd;
  }
  if (has_own_settings(plan.server)) return std::string("the scenario sets up the server itself") + kEnd;
  if (plan.load.shared_addresses > 1) {
    return std::string("the scenario tests hosts and their addresses, but all clients run on this machine") + kEnd;
  }
  return "";
}

// For start-up, healing and a busy machine, in addition to the load and the final phase.
constexpr std::int64_t kMargin_ms = 60'000;
constexpr std::int64_t kMorePerClient_ms = 200;

std::int64_t longest_ms(const Plan& plan) {
  const Load& load = plan.load;
  const LockType& type = type_of_ref(plan.lock);
  const std::int64_t twice_ms = 2 * (load.lease_ms + load.progress_bound_ms);  // the final phase, and a hanging call
  return longest_start_ms(type) + load.duration_ms + twice_ms + longest_wait_ms(type) + kMargin_ms +
         kMorePerClient_ms * load.clients;
}

// With a full disk a client cannot even log why it ended.
std::string with_disk(const std::string& error, const std::string& folder) {
  constexpr std::uintmax_t kLeast = 256ULL * 1024;
  std::error_code ignored;
  const auto room = std::filesystem::space(folder, ignored);
  const std::string full = std::strerror(ENOSPC);
  if (ignored || room.available >= kLeast || error.find(full) != std::string::npos) return error;
  return error + "; " + folder + ": " + full;
}

// Number of times each planned fault was seen in force, from the verdict's timeline, which is derived from the history.
std::vector<FaultProof> proofs_of(const std::vector<FaultSpec>& planned, const TrialVerdict& verdict) {
  std::vector<FaultProof> out;
  for (const auto& spec : planned) {
    FaultProof one;
    one.fault = spec.fault;
    one.planned = 1;
    add_proof(out, one);
  }
  for (auto& proof : out) {
    for (const auto& span : verdict.timeline.faults) {
      if (span.fault != proof.fault) continue;
      ++proof.acted;
      proof.detail = span.detail;
      proof.struck.add(span.struck);
      proof.holders += span.holders;
    }
  }
  return out;
}

// A lab's user may differ from ours and may be unable to read the given file.
Target with_certificates_in(const std::string& folder, Target there) {
  if (there.security.ca.empty()) return there;
  constexpr const char* kCopy = "target-ca.pem";
  RunDirectory(folder).write(kCopy, read_text_file(there.security.ca));
  there.security.ca = std::filesystem::absolute(folder).string() + "/" + kCopy;
  return there;
}

}  // namespace

Plan fitted_to_lock(Plan plan) {
  const std::string name = parse_lock_ref(plan.lock).lock;
  const LockType& type = lock_type(name);
  plan.adapter = stored_lock(name);
  if (plan.load.isolation.empty() && !isolation_of(type).empty()) plan.load.isolation = {isolation_of(type)};
  if (plan.load.tick_ms == 0 || type.tick_ms == 0) plan.load.tick_ms = type.tick_ms;
  const std::vector<std::int64_t> asked = leases_of(plan.load);
  const std::vector<std::int64_t> given = promised(type, asked);
  if (given == asked) return plan;
  plan.load.asked_leases_ms = asked;
  plan.load.lease_ms = *std::max_element(given.begin(), given.end());
  if (!plan.load.leases_ms.empty()) plan.load.leases_ms = given;
  return plan;
}

std::string told_rounding(const std::string& lock, const Load& asked) {
  const std::string name = parse_lock_ref(lock).lock;
  const std::vector<std::int64_t> leases = leases_of(asked);
  const std::vector<std::int64_t> given = promised(*find_entry(locks(), name), leases);
  if (given == leases) return "";
  return "A lease of " + list_of(leases) + " was requested, but " + list_of(given) + " is promised: " + name +
         " takes only whole seconds.";
}

std::string cannot_have(const Plan& plan) {
  const LockType& type = type_of_ref(plan.lock);
  if (plan.load.cancel_after_ms > 0 && !can_cancel(type)) {
    return "the scenario cancels waiting acquires, but this lock does not declare `wait` and `cancel`";
  }
  if (has_readers(plan.load) && (type.manifest == nullptr || !type.manifest->can_do("shared"))) {
    return "the scenario has readers, and this lock does not declare `shared`";
  }
  if (type.manifest == nullptr) return "";
  for (const auto& spec : plan.faults) {
    if (fault_type(spec).needs_any(&CapabilityFacts::instrumented)) {
      return spec.fault + " strikes inside the lock's code, which holdfast cannot reach in an adapter";
    }
    if (const std::string word = cannot_itself(spec, *type.manifest); !word.empty()) {
      return spec.fault + " must be carried out by the lock's own program, but this adapter does not declare `" + word +
             "`";
    }
  }
  if (plan.load.threads > 1 && !type.manifest->can_do("threads")) {
    return "the scenario has clients with several threads, but this adapter does not declare `threads`";
  }
  if (type.scheduled && (plan.load.reenter || !has_keys_of_its_own(plan.load))) {
    return "a scheduler takes no acquire requests: its jobs cannot be reentered, and a client waits for jobs of one "
           "key only; remedy: leave out 'reenter', and give each client one key (keys_of)";
  }
  return "";
}

void add_proof(std::vector<FaultProof>& all, const FaultProof& one) {
  for (auto& proof : all) {
    if (proof.fault != one.fault) continue;
    proof.acted += one.acted;
    proof.planned += one.planned;
    proof.struck.add(one.struck);
    proof.holders += one.holders;
    if (!one.detail.empty()) proof.detail = one.detail;
    if (!one.unavailable.empty()) proof.unavailable = one.unavailable;
    return;
  }
  all.push_back(one);
}

std::string trial_folder(const std::string& lock, const std::string& scenario, int number) {
  return "cells/" + lock + "/" + scenario + "/" + std::to_string(number);
}

// With several seeds, one per trial: the plan equals that of a run with this seed alone.
RunSeed TrialJob::seed_of_trial() const {
  if (options_.seeds.empty()) return {options_.seed, number_};
  const auto at = static_cast<std::size_t>((number_ - 1) / options_.repeat);
  return {options_.seeds.at(at), (number_ - 1) % options_.repeat + 1};
}

Plan TrialJob::plan_of_trial() const {
  if (options_.stored_plan) return *options_.stored_plan;
  const RunSeed seed = seed_of_trial();
  return fitted_to_lock(make_plan(scenario_, lock_, seed.seed, seed.repetition));
}

TrialResult TrialJob::run(const std::atomic<bool>& interrupted, StoredResult& met) {
  TrialResult result;
  result.number = number_;
  const Plan plan = plan_of_trial();
  result.seed = plan.seed;
  result.folder = trial_folder(lock_, scenario_.name, number_);
  if (!execute(plan, result, interrupted, met)) return result;
  compare_with_expected(documented_expectations(scenario_, lock_), result);
  const bool wanted = options_.controls && scenario_.control_of(lock_) != nullptr;
  if (wanted && result.outcome == Outcome::caught) run_control(result, interrupted, met);
  return result;
}

TrialResult TrialJob::run_beside(const Plan& plan, const std::string& folder, const std::atomic<bool>& interrupted,
                                 StoredResult& met) {
  TrialResult result;
  result.number = number_;
  result.seed = plan.seed;
  result.folder = folder;
  execute(plan, result, interrupted, met);
  return result;
}

std::optional<Plan> TrialJob::plan_of_control() const {
  if (scenario_.control_of(lock_) == nullptr) return std::nullopt;
  const RunSeed seed = seed_of_trial();
  return fitted_to_lock(make_control_plan(scenario_, lock_, seed.seed, seed.repetition));
}

// The control has a lab of its own, and a subfolder of its trial's.
void TrialJob::run_control(TrialResult& result, const std::atomic<bool>& interrupted, StoredResult& met) {
  const Plan plan = plan_of_control().value();
  TrialResult control;
  control.folder = result.folder + "/control";
  result.control = ControlResult{plan.lock, scenario_.control_of(lock_)->removes, control.folder, false, ""};
  const bool ran = execute(plan, control, interrupted, met);
  result.seconds += control.seconds;
  result.cpu_seconds += control.cpu_seconds;
  if (ran) {
    compare_control(documented_expectations(scenario_, lock_), control.verdict, result);
    return;
  }
  result.outcome = control.outcome;
  result.error = "the control: " + control.error;
}

bool TrialJob::execute(const Plan& plan, TrialResult& result, const std::atomic<bool>& interrupted, StoredResult& met) {
  if (options_.time == TimeMode::real) return execute_in(TimeMode::real, plan, result, interrupted, met);
  result.time_doubt = options_.trust->doubt_of(plan.lock, plan.load);
  if (result.time_doubt.empty()) {
    TrialResult first = result;
    const bool judged = execute_in(TimeMode::skipped, plan, first, interrupted, met);
    if (judged || !first.time_doubt.empty()) options_.trust->note(plan.lock, first.time_doubt);
    if (first.time_doubt.empty() || interrupted.load()) {
      result = std::move(first);
      return judged;
    }
    result.time_doubt = first.time_doubt;
    result.seconds = first.seconds;
  }
  return execute_in(TimeMode::real, plan, result, interrupted, met);
}

bool TrialJob::execute_in(TimeMode time, const Plan& plan, TrialResult& result, const std::atomic<bool>& interrupted,
                          StoredResult& met) {
  result.time = time;
  const std::string folder = options_.folder + "/" + result.folder;
  try {
    prepare(plan, result.folder);
    LabEnd ended = launch(time, plan, folder, interrupted);
    refuse_others(RunDirectory(options_.folder), result.folder, ended);
    result.seconds += ended.seconds;
    result.cpu_seconds += ended.cpu_seconds;
    if (time == TimeMode::skipped) {
      result.time_doubt = doubt_of_time(folder, ended);
      result.outcome = Outcome::undecided;
      if (!result.time_doubt.empty()) return false;
    }
    result.error = ended.exit_code == kExitHarness ? with_disk(ended.last_words, folder) : ended.last_words;
    if (ended.exit_code == 0) {
      const TrialFacts facts = read_trial_facts(InputFile::in(folder, "facts.json"));
      if (met.server.empty()) met.server = facts.server;
      met.stalls += facts.stalls;
      judge(plan, result);
      if (facts.errors.empty()) return true;
      result.error = facts.errors.front();
    }
    result.outcome = ended.exit_code == kExitUnavailable ? Outcome::unavailable : Outcome::harness_error;
  } catch (const Unavailable& refused) {
    result.outcome = Outcome::unavailable;
    result.error = refused.what();
  } catch (const std::exception& failed) {
    result.outcome = Outcome::harness_error;
    result.error = text_of(failed);
  }
  return false;
}

// On a target everything the trial created is removed, whatever its outcome.
LabEnd TrialJob::launch(TimeMode time, const Plan& plan, const std::string& folder,
                        const std::atomic<bool>& interrupted) {
  const std::int64_t limit_ms = longest_ms(plan);
  LabOrder order{folder};
  order.time = time;
  order.sabotage = options_.sabotage;
  order.servers = options_.servers;
  const std::string lock = parse_lock_ref(plan.lock).lock;
  order.adapter = added_lock_words(lock);
  order.environment = adapter_variables(lock);
  LabEnd out;
  out.last_words = cannot_have(plan);
  if (options_.target != nullptr && out.last_words.empty())
    out.last_words = not_on_target(plan, options_.target->target());
  if (options_.hosts != nullptr && out.last_words.empty() && lock_type(lock).manifest == nullptr) {
    out.last_words = "other hosts (--hosts) run the lock's own program, and this lock has none";
  }
  out.exit_code = kExitUnavailable;
  if (!out.last_words.empty()) return out;
  if (options_.target == nullptr) return end_of([&] { return launch_trial(order, limit_ms, interrupted); });
  const Target there = options_.target->begin_trial(plan, limit_ms + kMargin_ms);
  out = end_of([&] {
    std::optional<RemoteKeeper> keeper;
    if (options_.hosts != nullptr) {
      order.hosts = options_.hosts->servers();
      const Manifest& manifest = *lock_type(lock).manifest;
      keeper.emplace(*options_.hosts, remote_program(manifest), manifest.start_ms, folder);
    }
    order.target = with_certificates_in(folder, there).text();
    return launch_trial(order, limit_ms, interrupted);
  });
  end_on_target(*options_.target, there, out);
  return out;
}

// Recreated files belong to the trial alone; its processes then write them through ordinary paths.
void TrialJob::prepare(const Plan& plan, const std::string& trial) const {
  if (!std::filesystem::is_directory(options_.folder))
    throw HarnessError(options_.folder + ": the folder no longer exists");
  const RunDirectory run(options_.folder);
  run.remove_all(trial);  // a trial that is run again
  run.make_folders(trial);
  run.write(trial + "/scenario.json", text_of_json(to_json(scenario_.source), 2) + "\n");
  run.write(trial + "/plan.json", text_of_json(to_json(plan), 2) + "\n");
}

void TrialJob::judge(const Plan& plan, TrialResult& result) const {
  const RunDirectory run(options_.folder);
  result.verdict = check_history(run.file(result.folder + "/history.jsonl"));
  run.write(result.folder + "/verdict.json", text_of_json(to_json(result.verdict), 1) + "\n");
  result.faults = proofs_of(plan.faults, result.verdict);
  result.verdict.timeline = {};
}

}  // namespace holdfast
