#include "suite/cause_controls.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "artifact/json_reader.hpp"
#include "artifact/plain_file.hpp"
#include "artifact/run_directory.hpp"
#include "checker/check.hpp"
#include "lock/lock.hpp"
#include "plan/make_plan.hpp"
#include "suite/cause.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

constexpr int kMostControls = kCauseControls + 3;

// Always for an unexpected violation; with --controls for other judged trials.
bool is_asked(const TrialResult& trial, bool controls) {
  const bool judged = trial.outcome == Outcome::caught || trial.outcome == Outcome::missed;
  return trial.outcome == Outcome::unexpected || (controls && judged);
}

std::string text_of(const Plan& plan) {
  return text_of_json(to_json(plan));
}

TrialVerdict read_verdict(const RunDirectory& run, const std::string& name) {
  return read_json_text(run.read(name), run.path_of(name), from_json<TrialVerdict>);
}

bool renews_unseen(const Cell& cell) {
  const LockType* type = find_entry(locks(), parse_lock_ref(cell.lock).lock);
  return type != nullptr && type->renews_unseen;
}

// A load without client counts and times: two cells with equal kinds make the same demands on a lock.
nlohmann::json load_kind(const Scenario& scenario, const std::string& lock) {
  nlohmann::json out = to_json(scenario.settings_of(lock).load);
  for (const char* number : {"clients", "hold_ms", "pause_ms", "poll_ms", "duration_ms"}) out.erase(number);
  return out;
}

std::string stored_plan_text(const RunDirectory& run, const std::string& trial) {
  const std::string name = trial + "/plan.json";
  return run.has(name) ? text_of_json(parse_json(run.read(name), run.path_of(name))) : "";
}

}  // namespace

CauseControls::CauseControls(const SuiteOptions& options, std::vector<Cell>& cells,
                             const std::atomic<bool>& interrupted, TrialEnvironment& environment, ControlTold told)
    : options_(options), cells_(cells), interrupted_(interrupted), environment_(environment), told_(std::move(told)) {}

bool CauseControls::run() {
  ask();
  for (auto& group : groups_) take_over(group);
  TrialWork work;
  work.next = [this] { return next(); };
  work.brings_more = true;
  work.done = [this](std::size_t control, const StoredResult& ended) {
    count_in(begun_.at(control), ended.result);
    return false;
  };
  work.over = [this] { return over(); };
  run_trials(work, options_.jobs, interrupted_, environment_);
  finish();
  return !cut_;
}

void CauseControls::ask() {
  const RunDirectory run(options_.folder);
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    for (std::size_t t = 0; t < cells_[c].trials.size(); ++t) {
      TrialResult& trial = cells_[c].trials[t];
      trial.causes.clear();
      const std::string name = trial.folder + "/verdict.json";
      if (trial.folder.empty() || !is_asked(trial, options_.controls) || !run.has(name)) continue;
      const FaultsByCause causes = faults_by_cause(read_verdict(run, name).timeline);
      const Plan plan = job_of({c, t, 0}).plan_of_trial();
      trial.causes = causes_to_ask(trial, causes, plan.faults, options_.controls);
      for (std::size_t i = 0; i < trial.causes.size(); ++i) {
        take_fault_free({c, t, i});
        if (is_open(trial.causes[i])) group({c, t, i});
      }
    }
  }
}

// If a cell without faults shows the same violation under a load of the same kind, the lock needs no fault for it.
void CauseControls::take_fault_free(const Question& question) {
  CauseFinding& cause = cause_of(question);
  if (cause.of_fault || !is_open(cause)) return;
  const Cell& asked = cells_[question.cell];
  for (const Cell& cell : cells_) {
    if (cell.lock != asked.lock || !scenario_of(options_, cell).faults.empty()) continue;
    if (load_kind(scenario_of(options_, cell), cell.lock) != load_kind(scenario_of(options_, asked), asked.lock))
      continue;
    for (const TrialResult& trial : cell.trials) {
      const PropertyVerdict* property = trial.verdict.find(cause.property);
      const bool same =
          trial.outcome == Outcome::unexpected && property != nullptr && property->kinds.contains(cause.kind);
      if (!same || !take(cause, trial.verdict, renews_unseen(cell))) continue;
      cause.folders.push_back(trial.folder);
      return;
    }
  }
}

void CauseControls::group(const Question& question) {
  const CauseFinding& asked = cause_of(question);
  for (auto& group : groups_) {
    if (group.questions.front().cell != question.cell || group.faults != asked.faults) continue;
    group.questions.push_back(question);
    return;
  }
  Group one;
  one.questions = {question};
  one.faults = asked.faults;
  one.plan = without_faults(job_of(question).plan_of_trial(), asked.faults);
  one.plan_text = text_of(one.plan);
  groups_.push_back(std::move(one));
}

// Reuses the paired control if it has the same plan, and those of a resumed run.
void CauseControls::take_over(Group& group) {
  const TrialResult& trial = trial_of(group);
  if (trial.control) take_over_control(group, trial.control->folder);
  if (!options_.resume) return;
  for (int i = 1; i <= kMostControls * static_cast<int>(groups_.size()); ++i) {
    const std::string folder = trial.folder + "/control-" + std::to_string(i);
    if (RunDirectory(options_.folder).has(folder + "/result.json")) take_over_control(group, folder);
  }
}

// A control whose folder contains anything but plain files is run again.
void CauseControls::take_over_control(Group& group, const std::string& folder) {
  try {
    take_over_plain(group, folder);
  } catch (const NotPlain&) {
  }
}

void CauseControls::take_over_plain(Group& group, const std::string& folder) {
  const RunDirectory run(options_.folder);
  if (!run.has(folder + "/verdict.json") || stored_plan_text(run, folder) != group.plan_text) return;
  TrialResult control;
  if (auto stored = stored_result(options_.folder, folder)) {  // a paired control has no result of its own
    if (options_.again && failed(stored->result)) return;
    check_evidence(run, folder, stored->sums, MissingFiles::refused);
    control = std::move(stored->result);
  }
  control.verdict = check_history(run.file(folder + "/history.jsonl"));  // independent of the files beside it
  control.folder = folder;
  taken_.insert(folder);
  ++group.begun;
  ++done_;
  count(group, control);
}

bool CauseControls::wants_more(const Group& group) const {
  const bool open = std::any_of(group.questions.begin(), group.questions.end(), [this](const Question& q) {
    return is_open(cells_[q.cell].trials[q.trial].causes[q.cause]);
  });
  return open && group.judged + group.running < kCauseControls && group.begun < kMostControls;
}

// Groups with the fewest controls come first, so that those with an immediate violation cost little.
std::optional<PoolJob> CauseControls::next() {
  Group* best = nullptr;
  for (auto& group : groups_) {
    if (wants_more(group) && (best == nullptr || group.begun < best->begun)) best = &group;
  }
  if (best == nullptr) return std::nullopt;
  ++best->begun;
  ++best->running;
  begun_.push_back(best);
  const std::string folder = free_folder(trial_of(*best).folder);
  const auto run = [this, folder, plan = best->plan, job = job_of(best->questions.front())](bool) mutable {
    StoredResult ended;
    ended.result = job.run_beside(plan, folder, interrupted_, ended);
    if (!interrupted_.load()) store_result(options_.folder, folder, ended);
    return ended;
  };
  return PoolJob{begun_.size() - 1, run};
}

void CauseControls::count_in(Group* group, const TrialResult& control) {
  --group->running;
  ++done_;
  count(*group, control);
  report(*group, control);
}

// A control with a harness error counts for nothing, whatever its other results.
void CauseControls::count(Group& group, const TrialResult& control) {
  const bool ran = control.outcome != Outcome::harness_error && control.outcome != Outcome::unavailable;
  bool told = false;
  for (const Question& question : group.questions) {
    CauseFinding& cause = cause_of(question);
    cause.folders.push_back(control.folder);
    if (ran && take(cause, control.verdict, renews_unseen(cells_[question.cell]))) told = true;
    if (!ran) cause.note = control.folder + ": " + control.error;
  }
  if (told) ++group.judged;
}

void CauseControls::report(const Group& group, const TrialResult& control) {
  const Cell& cell = cells_[group.questions.front().cell];
  const std::string number = control.folder.substr(control.folder.rfind('-') + 1);
  const bool ran = control.outcome != Outcome::harness_error && control.outcome != Outcome::unavailable;
  told_(done_, done_ + to_come(), cell,
        "control " + number + ": " + (ran ? to_text(control.verdict.judgement) : to_text(control.outcome)));
}

void CauseControls::finish() {
  for (auto& group : groups_) {
    group.running = 0;  // those cut off by an interrupt
    cut_ = cut_ || wants_more(group);
  }
  const std::string cut = interrupted_.load()      ? "interrupted"
                          : options_.only_gathered ? *options_.only_gathered
                                                   : options_.out_of_time;
  for (auto& cell : cells_) {
    for (auto& trial : cell.trials) {
      for (auto& cause : trial.causes) {
        const std::string failed = cause.note;
        settle(cause, cut_             ? cut
                      : failed.empty() ? "the injection point was not reached, or the machine stalled"
                                       : failed);
      }
      compare_causes(cell.expected, trial);
    }
  }
}

bool CauseControls::over() const {
  if (options_.only_gathered) return true;
  const auto& until = options_.controls_until ? options_.controls_until : options_.until;
  return until && std::chrono::steady_clock::now() >= *until;
}

int CauseControls::to_come() const {
  int all = 0;
  for (const auto& group : groups_) {
    all += group.running;
    if (wants_more(group)) all += std::min(kCauseControls - group.judged - group.running, kMostControls - group.begun);
  }
  return all;
}

std::string CauseControls::free_folder(const std::string& trial_folder) {
  for (int i = 1;; ++i) {
    std::string folder = trial_folder + "/control-" + std::to_string(i);
    try {
      if (RunDirectory(options_.folder).has(folder + "/result.json")) continue;
    } catch (const std::exception&) {
      // The run's folder is gone, or contains a link: the control reports it.
    }
    if (taken_.insert(folder).second) return folder;
  }
}

CauseFinding& CauseControls::cause_of(const Question& question) {
  return cells_[question.cell].trials[question.trial].causes[question.cause];
}

const TrialResult& CauseControls::trial_of(const Group& group) const {
  const Question& first = group.questions.front();
  return cells_[first.cell].trials[first.trial];
}

TrialJob CauseControls::job_of(const Question& question) const {
  const Cell& cell = cells_[question.cell];
  return TrialJob{options_, scenario_of(options_, cell), cell.lock, static_cast<int>(question.trial) + 1};
}

}  // namespace holdfast
