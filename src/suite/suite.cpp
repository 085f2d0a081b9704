#include "suite/suite.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/plain_file.hpp"
#include "artifact/server_names.hpp"
#include "lock/added_locks.hpp"
#include "suite/cause_controls.hpp"
#include "suite/check_names.hpp"
#include "suite/documented.hpp"
#include "suite/expectation.hpp"
#include "suite/run_assertions.hpp"
#include "suite/silent_cells.hpp"
#include "suite/stored_result.hpp"
#include "suite/trial_job.hpp"
#include "suite/trial_pool.hpp"

namespace holdfast {
namespace {

struct Place {
  std::size_t cell;
  std::size_t trial;
};

class SuiteRun {
 public:
  SuiteRun(const SuiteOptions& options, const std::function<void(const SuiteProgress&)>& progress,
           const std::atomic<bool>& interrupted)
      : options_(options), progress_(progress), interrupted_(interrupted) {}

  RunVerdict run() {
    const auto begin = std::chrono::steady_clock::now();
    verdict_.cells = plan_cells(options_);
    for (auto& cell : verdict_.cells) {
      cell.planned = options_.repeat * static_cast<int>(std::max<std::size_t>(1, options_.seeds.size()));
      cell.trials.resize(static_cast<std::size_t>(cell.planned));
    }
    line_up();
    run_all();
    repeat_missed();
    if (!options_.once) ask_controls();
    finish();
    verdict_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(verdict_);
  }

 private:
  void line_up() {
    for (std::size_t c = 0; c < verdict_.cells.size(); ++c) {
      for (std::size_t t = 0; t < verdict_.cells[c].trials.size(); ++t) {
        if (!taken_over({c, t})) waiting_.push_back({c, t});
      }
    }
    in_good_order();
    state_.trials = state_.done + static_cast<int>(waiting_.size());
  }

  // Longest first, so that no long job is left at the end; with a budget every cell runs once before any second
  // repetition.
  void in_good_order() {
    const auto rank = [this](const Place& place) {
      return std::pair{options_.until || options_.in_order || options_.rule.until_decided ? place.trial : 0,
                       options_.in_order ? 0 : -duration_of(place)};
    };
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [&](const Place& a, const Place& b) { return rank(a) < rank(b); });
  }

  // An adapter may have placed files in a killed run's folder: such a trial is run again, like one without a result.
  bool taken_over(const Place& place) {
    try {
      return options_.resume && has_taken_over(place);
    } catch (const NotPlain& other) {
      const bool in_trial = other.path.find("/" + folder_of(place) + "/") != std::string::npos;
      if (options_.only_gathered || !in_trial) throw;
      return false;
    }
  }

  std::string folder_of(const Place& place) const {
    const Cell& cell = verdict_.cells[place.cell];
    return trial_folder(cell.lock, cell.scenario, static_cast<int>(place.trial) + 1);
  }

  // A trial of the resumed run. Many parallel labs on few processors can cause stalls; a trial that ran alone has no
  // such excuse.
  bool has_taken_over(const Place& place) {
    Cell& cell = verdict_.cells[place.cell];
    auto stored = stored_result(options_.folder, folder_of(place));
    if (!stored || (options_.again && failed(stored->result))) return false;
    check_result(options_.folder, documented_expectations(scenario_of(options_, cell), cell.lock), *stored);
    environment_.add(*stored);
    note_find(stored->result);
    if (!stored->alone && is_undecided(stored->result)) spoilt_.push_back(place);
    cell.trials[place.trial] = std::move(stored->result);
    ++state_.done;
    return true;
  }

  void note_find(const TrialResult& result) {
    wants_controls_ = wants_controls_ || (result.outcome == Outcome::unexpected && !result.faults.empty());
  }

  static bool is_undecided(const TrialResult& result) { return result.outcome == Outcome::undecided; }

  bool over() const {
    const auto& end = options_.controls_until && !wants_controls_ ? options_.controls_until : options_.until;
    const bool late = end && std::chrono::steady_clock::now() >= *end;
    return found_ || late || options_.only_gathered;
  }

  void run_all() {
    std::vector<PoolJob> jobs;
    for (const auto& place : waiting_) jobs.push_back(job_of(place));
    TrialWork work;
    work.next = [this, next = in_order(std::move(jobs))] { return next_undecided(next); };
    work.over = [this] { return over(); };
    work.done = [this](std::size_t number, StoredResult ended) {
      const bool again = is_undecided(ended.result) && !options_.once;
      report(places_[number], std::move(ended.result));
      return again;
    };
    work.worth_another = [this](std::size_t number) { return !lacks_the_moment(verdict_.cells[places_[number].cell]); };
    work.alone_begins = [this](std::size_t trials) { state_.trials += static_cast<int>(trials); };
    for (const auto& place : spoilt_) work.spoilt.push_back(job_of(place));
    run_trials(work, options_.jobs, interrupted_, environment_);
  }

  // A rate needs all of its trials, and none more; a replay has one plan.
  bool repeats_missed() const {
    return options_.repeat == 1 && options_.seeds.empty() && !options_.rule.until_decided && !options_.once &&
           !options_.stored_plan;
  }

  // A flaw may occur by chance, so a cell whose expected violation was not seen gets further trials.
  void repeat_missed() {
    for (int more = 0; repeats_missed() && more < kTrialsAfterAMiss; ++more) {
      waiting_.clear();
      spoilt_.clear();
      for (std::size_t c = 0; c < verdict_.cells.size(); ++c) {
        if (is_missed(verdict_.cells[c])) line_up_another(c);
      }
      state_.trials = state_.done + static_cast<int>(waiting_.size() + spoilt_.size());
      run_all();
    }
  }

  void line_up_another(std::size_t number) {
    Cell& cell = verdict_.cells[number];
    const Place place{number, cell.trials.size()};
    cell.trials.emplace_back();
    if (!taken_over(place)) {
      if (over() || interrupted_.load()) return cell.trials.pop_back();
      waiting_.push_back(place);
    }
    ++cell.planned;
    cell.until_decided = true;
  }

  bool is_decided(const Cell& cell) const {
    return options_.rule.until_decided && std::any_of(cell.trials.begin(), cell.trials.end(), decides);
  }

  // Skips repetitions of decided cells.
  std::optional<PoolJob> next_undecided(const std::function<std::optional<PoolJob>()>& next) {
    for (auto job = next(); job; job = next()) {
      if (!is_decided(verdict_.cells[places_[job->number].cell])) return job;
      --state_.trials;
    }
    return std::nullopt;
  }

  PoolJob job_of(const Place& place) {
    const Cell& cell = verdict_.cells[place.cell];
    TrialJob job{options_, scenario_of(options_, cell), cell.lock, static_cast<int>(place.trial) + 1};
    const auto run = [this, job](bool alone) mutable {
      StoredResult ended;
      ended.result = job.run(interrupted_, ended);
      ended.alone = alone;
      if (!interrupted_.load()) store_result(options_.folder, ended.result.folder, ended);  // waits for the disk
      return ended;
    };
    places_.push_back(place);
    return {places_.size() - 1, run};
  }

  std::int64_t duration_of(const Place& place) const {
    const Cell& cell = verdict_.cells[place.cell];
    return scenario_of(options_, cell).settings_of(cell.lock).load.duration_ms;
  }

  void report(const Place& place, TrialResult result) {
    Cell& cell = verdict_.cells[place.cell];
    cell.trials[place.trial] = std::move(result);
    ++state_.done;
    state_.last = &cell.trials[place.trial];
    if (options_.stop_at_first && state_.last->outcome == Outcome::unexpected) found_ = true;
    note_find(*state_.last);
    state_.cell = &cell;
    progress_(state_);
  }

  // A replay runs a stored plan.
  void ask_controls() {
    if (options_.stored_plan) return;
    const int trials = state_.done;
    const auto told = [this, trials](int done, int all, const Cell& cell, const std::string& text) {
      state_.done = trials + done;
      state_.trials = trials + all;
      state_.cell = &cell;
      state_.last = nullptr;
      state_.control = text;
      progress_(state_);
    };
    cut_off_ = !CauseControls(options_, verdict_.cells, interrupted_, environment_, told).run();
  }

  void finish() {
    verdict_.interrupted = interrupted_.load();
    verdict_.seed = options_.seed;
    verdict_.seeds = options_.seeds;
    verdict_.server = server_text(environment_.servers);
    verdict_.stalls = environment_.stalls;
    verdict_.not_tried = options_.left_out;
    for (auto& cell : verdict_.cells) {
      // Only an interrupt, or the end of the budget, leaves trials that never ran; they have no number.
      auto& trials = cell.trials;
      trials.erase(std::remove_if(trials.begin(), trials.end(), [](const auto& t) { return t.folder.empty(); }),
                   trials.end());
      cell.until_decided = cell.until_decided || options_.rule.until_decided;
      if (is_decided(cell)) cell.planned = static_cast<int>(trials.size());
      sum_up(cell);
      if (cell.trials_not_run() > 0) cut_off_ = true;
      if (std::find(verdict_.locks.begin(), verdict_.locks.end(), cell.lock) == verdict_.locks.end())
        verdict_.locks.push_back(cell.lock);
      if (std::find(verdict_.scenarios.begin(), verdict_.scenarios.end(), cell.scenario) == verdict_.scenarios.end()) {
        verdict_.scenarios.push_back(cell.scenario);
      }
      for (const auto& trial : trials) {
        for (const auto& proof : trial.faults) add_proof(verdict_.faults, proof);
      }
    }
    verdict_.rule = rule_text(options_.rule, verdict_);
    verdict_.notes = notes_of(verdict_.locks);
    verdict_.leases_without_tokens = leases_without_tokens(verdict_.locks);
    const bool part = options_.cells_of_shard || options_.stored_plan;
    if (!part) verdict_.assertions = run_assertions(verdict_.cells);
    if (cut_off_) verdict_.stopped = why_stopped();
    verdict_.exit_code = exit_code_of(verdict_);
  }

  std::string why_stopped() const {
    if (verdict_.interrupted) return "interrupted";
    if (options_.only_gathered) return *options_.only_gathered;
    return found_ ? kStoppedAtFirst : options_.out_of_time;
  }

  const SuiteOptions& options_;
  const std::function<void(const SuiteProgress&)>& progress_;
  const std::atomic<bool>& interrupted_;
  bool found_ = false;           // an unexpected result was found, and one is enough
  bool wants_controls_ = false;  // a violation under faults that no scenario expects
  std::vector<Place> waiting_;
  std::vector<Place> places_;  // of the jobs, by number
  std::vector<Place> spoilt_;  // of a resumed run: to be run once more, alone
  bool cut_off_ = false;       // by an interrupt, or the end of the budget
  SuiteProgress state_;
  RunVerdict verdict_;
  TrialEnvironment environment_;
};

bool matches(const std::string& pattern, const std::string& lock, const std::string& scenario) {
  const auto slash = pattern.find('/');
  const std::string wanted_lock = pattern.substr(0, slash);
  const std::string wanted_scenario = slash == std::string::npos ? "*" : pattern.substr(slash + 1);
  return (wanted_lock == "*" || wanted_lock == lock) && (wanted_scenario == "*" || wanted_scenario == scenario);
}

bool wanted(const SuiteOptions& options, const std::string& lock, const std::string& scenario) {
  return options.only.empty() || std::any_of(options.only.begin(), options.only.end(),
                                             [&](const auto& p) { return matches(p, lock, scenario); });
}

std::string nearest_cell(const std::string& pattern, const SuiteOptions& options) {
  const bool lock_only = pattern.find('/') == std::string::npos;
  std::vector<std::string> names;
  for (const auto& scenario : options.scenarios) {
    for (const auto& lock : scenario.locks) names.push_back(lock_only ? lock : lock + "/" + scenario.name);
  }
  return nearest(pattern, names);
}

std::string asked_as(const std::string& pattern, const SuiteOptions& options) {
  const auto place = options.only_from.find(pattern);
  return place == options.only_from.end() ? "--only " + pattern : place->second + ": " + pattern;
}

// Empty: unknown.
std::string why_left_out(const std::string& pattern, const SuiteOptions& options) {
  const auto slash = pattern.find('/');
  const auto left = std::find_if(options.left_out.begin(), options.left_out.end(), [&](const NotTried& one) {
    return slash != std::string::npos && pattern.substr(slash + 1) == one.what && matches(pattern, one.lock, one.what);
  });
  return left == options.left_out.end() ? "" : left->why;
}

// A pattern without matches is an error, even if another one matches.
void check_patterns(const SuiteOptions& options, const std::vector<Cell>& cells) {
  for (const auto& pattern : options.only) {
    if (std::any_of(cells.begin(), cells.end(), [&](const Cell& c) { return matches(pattern, c.lock, c.scenario); })) {
      continue;
    }
    const std::string why = why_left_out(pattern, options);
    const std::string near = why.empty() ? nearest_cell(pattern, options) : "";
    throw BadInput(asked_as(pattern, options) + " matches no cell" +
                   (why.empty() ? "" : ", since it cannot run: " + why) +
                   (near.empty() ? "" : " (did you mean '" + near + "'?)") +
                   "; a cell is LOCK/SCENARIO, and either may be *; remedy: holdfast plan SUITE lists the cells");
  }
}

// A cell is named by its trials' folder. Two scenarios with one name share a column if their locks differ.
void check_twice(const std::vector<Cell>& cells, const Scenario& scenario, const std::string& lock) {
  if (std::none_of(cells.begin(), cells.end(),
                   [&](const Cell& c) { return c.lock == lock && c.scenario == scenario.name; })) {
    return;
  }
  scenario.source.refuse("a second cell " + lock + "/" + scenario.name + "; give this file another name");
}

void add_sentence(std::string& text, const std::string& sentence) {
  if (sentence.empty()) return;
  if (!text.empty()) text += text.back() == '.' ? " " : ". ";
  text += sentence;
}

}  // namespace

RunVerdict run_suite(const SuiteOptions& options, const std::function<void(const SuiteProgress&)>& progress,
                     const std::atomic<bool>& interrupted) {
  prepare_sums();
  return SuiteRun(options, progress, interrupted).run();
}

const Scenario& scenario_of(const SuiteOptions& options, const Cell& cell) {
  return *std::find_if(options.scenarios.begin(), options.scenarios.end(), [&cell](const Scenario& s) {
    return s.name == cell.scenario && std::find(s.locks.begin(), s.locks.end(), cell.lock) != s.locks.end();
  });
}

std::vector<Cell> plan_cells(const SuiteOptions& options) {
  std::vector<Cell> cells;
  for (const auto& scenario : options.scenarios) {
    check_names(scenario);
    for (const auto& lock : scenario.locks) {
      if (!wanted(options, lock, scenario.name)) continue;
      check_twice(cells, scenario, lock);
      Cell cell;
      cell.lock = lock;
      cell.scenario = scenario.name;
      cell.suite = scenario.suite;
      cell.expected = documented_expectations(scenario, lock);
      cell.about = scenario.about;
      cell.why = scenario.why_of(lock);
      add_sentence(cell.why, documented_reasons(scenario, lock));
      add_sentence(cell.why, told_rounding(lock, scenario.settings_of(lock).load));
      cells.push_back(cell);
    }
  }
  check_patterns(options, cells);
  if (options.cells_of_shard) {
    std::erase_if(cells, [&](const Cell& c) { return !options.cells_of_shard->contains(c.lock + "/" + c.scenario); });
  }
  return cells;
}

}  // namespace holdfast
