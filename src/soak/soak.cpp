#include "soak/soak.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/server_names.hpp"
#include "lock/added_locks.hpp"
#include "plan/make_plan.hpp"
#include "soak/drawn_scenario.hpp"
#include "soak/shrink.hpp"
#include "soak/soak_trial.hpp"
#include "suite/trial_pool.hpp"

namespace holdfast {
namespace {

constexpr int kMostDraws = 200;  // for one trial
constexpr std::size_t kMostErrors = 10;

struct CellToDraw {
  const Scenario* scenario = nullptr;
  std::string lock;
};

// A trial, or the shrinking of a find.
struct SoakJob {
  std::shared_ptr<const SoakTrial> trial;
  const Scenario* base = nullptr;
  std::optional<std::size_t> find;  // to shrink
  std::string what;                 // the violation: "mutual_exclusion:algorithm"
  std::shared_ptr<Shrunk> shrunk;
};

class Soak {
 public:
  Soak(const SoakOrder& order, const std::function<void(const SoakState&)>& after_each,
       const std::atomic<bool>& interrupted)
      : order_(order), after_each_(after_each), interrupted_(interrupted) {
    SuiteOptions options;
    options.scenarios = order.scenarios;
    options.only = order.only;
    std::vector<std::string> locks;
    for (const auto& cell : plan_cells(options)) {
      locks.push_back(cell.lock);
      const Scenario& scenario = scenario_of(options, cell);
      const auto own = std::find_if(order_.scenarios.begin(), order_.scenarios.end(), [&](const Scenario& s) {
        return s.name == scenario.name && s.suite == scenario.suite;
      });
      cells_.push_back({&*own, cell.lock});
    }
    state_.notes = notes_of(locks);
    draw();  // throws early if nothing can be drawn
  }

  SoakState run() {
    TrialWork work;
    work.brings_more = true;
    work.next = [this] { return std::optional(next()); };
    work.done = [this](std::size_t number, const StoredResult& ended) {
      take(number, ended);
      return false;  // a trial spoiled by the machine is not repeated; its plan may be drawn again
    };
    work.over = [this] { return std::chrono::steady_clock::now() >= order_.until; };
    TrialEnvironment environment;
    run_trials(work, order_.jobs, interrupted_, environment);
    state_.server = server_text(environment.servers);
    state_.interrupted = interrupted_.load();
    for (const auto& [number, job] : begun_) {  // interrupted jobs
      if (!job.find) job.trial->remove();
    }
    state_.shrinking = 0;
    return state_;
  }

 private:
  PoolJob next() {
    const std::size_t number = ++begun_so_far_;
    SoakJob& job = begun_[number];
    if (to_shrink_.empty()) {
      job = draw();
    } else {
      job = to_shrink_.back();
      to_shrink_.pop_back();
      ++state_.shrinking;
    }
    return {number, [this, job](bool) { return job.find ? shrink_find(job) : job.trial->run(interrupted_); }};
  }

  SuiteOptions options(std::uint64_t seed) const {
    SuiteOptions out;
    out.seed = seed;
    out.folder = order_.folder;
    out.sabotage = order_.sabotage;
    out.servers = order_.servers;
    return out;
  }

  SoakJob draw() {
    std::string last;
    for (int i = 0; i < kMostDraws; ++i) {
      const std::uint64_t seed = named_seed(order_.seed, "soak", static_cast<int>(++drawn_));
      const CellToDraw& cell = cells_[seed % cells_.size()];
      const std::string name = cell.scenario->name + "_" + std::to_string(drawn_);
      try {
        SoakJob out;
        out.base = cell.scenario;
        out.trial = std::make_shared<SoakTrial>(options(seed), drawn_scenario(*cell.scenario, cell.lock, seed),
                                                *cell.scenario, cell.lock, name);
        return out;
      } catch (const BadInput& refused) {  // the drawn parts are incompatible
        last = refused.what();
      }
    }
    throw BadInput("no trial can be drawn within the bounds of these scenarios: " + last);
  }

  void take(std::size_t number, const StoredResult& ended) {
    const SoakJob job = begun_.at(number);
    begun_.erase(number);
    if (job.find) {
      --state_.shrinking;
      note_shrunk(job);
    } else {
      count(ended.result);
      const FindKinds news = keep_news(job, ended.result);
      if (news.empty() && !kept_as_error(ended.result)) job.trial->remove();
    }
    after_each_(state_);
  }

  void count(const TrialResult& result) {
    ++state_.trials;
    if (was_judged(result)) ++state_.judged;
    if (result.outcome == Outcome::unavailable) ++state_.unavailable;
    if (result.outcome == Outcome::harness_error) ++state_.harness_errors;
    for (const auto& fault : result.faults) {
      state_.faults_planned += fault.planned;
      state_.faults_acted += fault.acted;
    }
  }

  bool kept_as_error(const TrialResult& result) {
    if (result.outcome != Outcome::harness_error || state_.errors.size() == kMostErrors) return false;
    state_.errors.push_back(result.folder + ": " + result.error);
    return true;
  }

  FindKinds keep_news(const SoakJob& job, const TrialResult& result) {
    FindKinds news;
    for (const auto& shown : unexpected_of(result)) {
      if (known_.insert(job.trial->lock() + " " + shown).second) news.push_back(shown);
    }
    if (news.empty()) return news;
    if (static_cast<int>(state_.finds.size()) >= order_.most_finds) {
      ++state_.not_kept;
      return {};
    }
    SoakFind find;
    const std::string& what = news.front();
    find.number = static_cast<int>(state_.finds.size()) + 1;
    find.lock = job.trial->lock();
    find.scenario = job.base->suite + "/" + job.base->name;
    find.property = what.substr(0, what.find(':'));
    find.kind = what.substr(what.find(':') + 1);
    find.also.assign(news.begin() + 1, news.end());
    find.seed = job.trial->seed();
    find.folder = result.folder;
    find.found_as = size_of_scenario(job.trial->json());
    find.file = write_scenario(find.number, job.trial->name(), job.trial->json());
    state_.finds.push_back(find);
    SoakJob again = job;
    again.find = state_.finds.size() - 1;
    again.what = what;
    again.shrunk = std::make_shared<Shrunk>();
    to_shrink_.push_back(again);
    return news;
  }

  std::string write_scenario(int number, const std::string& name, const nlohmann::json& json) const {
    const std::string folder = "finds/" + std::to_string(number);
    const RunDirectory run(order_.folder);
    run.make_folders(folder);
    std::string file = folder + "/" + name + ".json";
    run.write(file, text_of_json(json, 1) + "\n");
    return file;
  }

  // Runs concurrently with other jobs: it uses nothing that others change.
  StoredResult shrink_find(const SoakJob& job) const {
    const ShowsAgain shows = [&](const nlohmann::json& scenario, int trial) {
      const SoakTrial one(options(job.trial->seed()), scenario, *job.base, job.trial->lock(),
                          job.trial->name() + "_" + std::to_string(trial));
      const StoredResult ended = one.run(interrupted_);
      one.remove();
      const FindKinds shown = unexpected_of(ended.result);
      return std::find(shown.begin(), shown.end(), job.what) != shown.end();
    };
    *job.shrunk = shrink(job.trial->json(), shows, {.interrupted = &interrupted_, .until = order_.until});
    return {};
  }

  void note_shrunk(const SoakJob& job) {
    SoakFind& find = state_.finds.at(*job.find);
    find.shrink_trials = job.shrunk->trials;
    find.shown = job.shrunk->shown;
    find.again = job.shrunk->again;
    find.file = write_scenario(find.number, job.trial->name(), job.shrunk->scenario);
    if (job.shrunk->ended) find.shrunk_to = size_of_scenario(job.shrunk->scenario);
  }

  const SoakOrder& order_;
  const std::function<void(const SoakState&)>& after_each_;
  const std::atomic<bool>& interrupted_;
  std::vector<CellToDraw> cells_;
  std::int64_t drawn_ = 0;
  std::size_t begun_so_far_ = 0;
  std::map<std::size_t, SoakJob> begun_;
  std::vector<SoakJob> to_shrink_;
  std::set<std::string> known_;
  SoakState state_;
};

}  // namespace

const JsonForm<SoakFind>& SoakFind::form() {
  using Of = SoakFind;
  static const JsonForm<Of> kForm{
      "find",
      "",
      {field("number", &Of::number, {1, INT32_MAX}), field("lock", &Of::lock),
       field("scenario", &Of::scenario, "scenario whose bounds it was drawn from: SUITE/NAME"),
       field("property", &Of::property), field("kind", &Of::kind),
       field("also", &Of::also, "other new violations in the same trial: PROPERTY:KIND"),
       field("seed", &Of::seed, "seed for a run of `file`"),
       field("file", &Of::file, "the smallest scenario found, below the soak's folder"),
       field("folder", &Of::folder, "folder of the trial that first showed it"),
       field("found_as", &Of::found_as, "the size of the original scenario, in words"),
       field("shrunk_to", &Of::shrunk_to,
             "the size of the smallest scenario; empty: time or trials ran out before it was known"),
       field("shrink_trials", &Of::shrink_trials),
       field("shown", &Of::shown, "number of the `again` trials of the smallest scenario that showed it again"),
       field("again", &Of::again)}};
  return kForm;
}

const JsonForm<SoakResult>& SoakResult::form() {
  using Of = SoakResult;
  constexpr auto kState = &Of::state;
  static const JsonForm<Of> kForm{
      "soak",
      "",
      {form_version<Of>("holdfast_soak", 1), field("seed", &Of::seed), field("seconds", &Of::seconds),
       field("command", &Of::command, "repeats this soak"), field("trials", kState, &SoakState::trials),
       field("judged", kState, &SoakState::judged, "trials in which a property held or was violated"),
       field("unavailable", kState, &SoakState::unavailable, "trials that this machine cannot run"),
       field("harness_errors", kState, &SoakState::harness_errors),
       field("faults_planned", kState, &SoakState::faults_planned),
       field("faults_acted", kState, &SoakState::faults_acted, "a fault whose moment never came did not act"),
       field("finds_not_kept", kState, &SoakState::not_kept), field("finds", kState, &SoakState::finds),
       field("errors", kState, &SoakState::errors, "the first ten harness errors"),
       field("server", kState, &SoakState::server),
       field("notes", kState, &SoakState::notes, "remarks that the locks' manifests add to every result"),
       field("interrupted", kState, &SoakState::interrupted)}};
  return kForm;
}

int exit_code_of(const SoakState& state) {
  if (state.interrupted) return 130;
  if (!state.finds.empty()) return 1;
  if (state.harness_errors > 0) return 5;
  if (state.trials > 0 && state.unavailable == state.trials) return 4;
  return state.judged == 0 ? 3 : 0;
}

SoakState run_soak(const SoakOrder& order, const std::function<void(const SoakState&)>& after_each,
                   const std::atomic<bool>& interrupted) {
  return Soak(order, after_each, interrupted).run();
}

}  // namespace holdfast
