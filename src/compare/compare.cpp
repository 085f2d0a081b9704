#include "compare/compare.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/server_names.hpp"
#include "compare/numbers.hpp"
#include "compare/variants.hpp"
#include "lock/added_locks.hpp"
#include "suite/check_names.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

bool stayed_undecided(const TrialResult& result) {
  const auto& all = result.verdict.properties;
  return std::any_of(all.begin(), all.end(), [](const auto& p) { return p.judgement == Judgement::undecided; });
}

PoolJob job_of(const Turn& turn, std::size_t number, const std::atomic<bool>& interrupted) {
  const auto run = [turn, &interrupted](bool) {
    StoredResult ended;
    ended.result = TrialJob(*turn.options, *turn.scenario, turn.lock, turn.number).run(interrupted, ended);
    return ended;
  };
  return {number, run};
}

// One variant with the settings of its trials.
struct ComparedLane {
  SuiteOptions options;
  std::vector<Scenario> scenarios;
};

std::vector<ComparedLane> compared_lanes(const CompareOrder& order) {
  std::vector<ComparedLane> out;
  for (const auto& variant : order.variants) {
    ComparedLane lane;
    lane.options.seed = order.seed;
    lane.options.servers = order.servers;
    lane.options.target = order.target;
    lane.options.sabotage = order.sabotage;
    lane.options.folder = order.folder + "/V" + std::to_string(out.size() + 1);
    for (const auto& scenario : order.scenarios) {
      lane.scenarios.push_back(variant_scenario(scenario, variant, order.as_written));
      check_names(lane.scenarios.back());
    }
    out.push_back(std::move(lane));
  }
  return out;
}

class Comparing {
 public:
  Comparing(const CompareOrder& order, const std::function<void(const CompareProgress&)>& progress)
      : order_(order), progress_(progress), lanes_(compared_lanes(order)) {
    for (const auto& lane : lanes_) std::filesystem::create_directories(lane.options.folder);
    places_ = in_turn(static_cast<std::size_t>(order.repeat), order.scenarios.size(), lanes_.size());
    records_.resize(places_.size());
    ran_.resize(places_.size(), false);
  }

  Comparison run(const std::atomic<bool>& interrupted) {
    const auto begin = std::chrono::steady_clock::now();
    TrialEnvironment environment;
    const std::function<void(std::size_t, TrialResult)> done = [this](std::size_t at, const TrialResult& result) {
      told(at, result);
    };
    take_turns(turns(), order_.jobs, interrupted, environment, done);
    Comparison out = frame();
    for (std::size_t s = 0; s < order_.scenarios.size(); ++s) {
      for (std::size_t v = 0; v < lanes_.size(); ++v) out.cells.push_back(cell(s, v));
    }
    out.server = server_text(environment.servers);
    out.stalls = environment.stalls;
    out.interrupted = interrupted.load();
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return out;
  }

 private:
  std::vector<Turn> turns() const {
    std::vector<Turn> out;
    for (const auto& place : places_) {
      const ComparedLane& lane = lanes_[place.variant];
      out.push_back({&lane.options, &lane.scenarios[place.scenario], order_.variants[place.variant].lock,
                     static_cast<int>(place.repetition) + 1});
    }
    return out;
  }

  void told(std::size_t at, const TrialResult& result) {
    const TurnPlace& place = places_[at];
    const SuiteOptions& options = lanes_[place.variant].options;
    records_[at] = record_of(result, options.folder, "V" + std::to_string(place.variant + 1) + "/");
    state_.done += ran_[at] ? 0 : 1;
    ran_[at] = true;
    state_.trials = static_cast<int>(places_.size());
    state_.last = order_.variants[place.variant].name + " " + lanes_[place.variant].scenarios[place.scenario].name;
    progress_(state_);
  }

  Comparison frame() const {
    Comparison out;
    out.seed = order_.seed;
    out.repeat = order_.repeat;
    out.jobs = order_.jobs;
    out.variants = order_.variants;
    std::vector<std::string> locks;
    for (auto& variant : out.variants) {
      locks.push_back(variant.lock);
      variant.advice = lock_texts(parse_lock_ref(variant.lock).lock).instead;
    }
    out.notes = notes_of(locks);
    for (const auto& scenario : lanes_.front().scenarios) out.scenarios.push_back(scenario.name);
    return out;
  }

  // Trials not run because of an interrupt are left out.
  ComparedCell cell(std::size_t scenario, std::size_t variant) const {
    ComparedCell out;
    out.variant = order_.variants[variant].name;
    out.scenario = lanes_[variant].scenarios[scenario].name;
    std::vector<const Service*> services;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!ran_[i] || places_[i].scenario != scenario || places_[i].variant != variant) continue;
      out.trials.push_back(records_[i].shown);
      if (records_[i].shown.state == TrialState::judged) services.push_back(&records_[i].service);
    }
    out.safety = safety_of(out.trials);
    out.service = numbers_of(services);
    return out;
  }

  const CompareOrder& order_;
  const std::function<void(const CompareProgress&)>& progress_;
  std::vector<ComparedLane> lanes_;
  std::vector<TurnPlace> places_;
  std::vector<TrialRecord> records_;
  std::vector<bool> ran_;
  CompareProgress state_;
};

}  // namespace

void take_turns(const std::vector<Turn>& turns, int jobs, const std::atomic<bool>& interrupted,
                TrialEnvironment& environment, const TurnDone& done) {
  std::vector<PoolJob> list;
  list.reserve(turns.size());
  for (const auto& turn : turns) list.push_back(job_of(turn, list.size(), interrupted));
  TrialWork work;
  work.next = in_order(std::move(list));
  work.done = [&done](std::size_t turn, StoredResult ended) {
    const bool again = stayed_undecided(ended.result);
    done(turn, std::move(ended.result));
    return again;
  };
  run_trials(work, jobs, interrupted, environment);
}

std::vector<TurnPlace> in_turn(std::size_t repetitions, std::size_t scenarios, std::size_t variants) {
  std::vector<TurnPlace> out;
  for (std::size_t r = 0; r < repetitions; ++r) {
    for (std::size_t s = 0; s < scenarios; ++s) {
      for (std::size_t v = 0; v < variants; ++v) out.push_back({r, s, (v + r + s) % variants});
    }
  }
  return out;
}

void check_order(const CompareOrder& order) {
  for (std::size_t i = 0; i < order.scenarios.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Scenario& one = order.scenarios[i];
      const Scenario& other = order.scenarios[j];
      if (one.suite == other.suite && one.name == other.name) {
        throw BadInput("the scenario " + one.suite + "/" + one.name + ": duplicate");
      }
    }
  }
  compared_lanes(order);
}

Comparison compare(const CompareOrder& order, const std::function<void(const CompareProgress&)>& progress,
                   const std::atomic<bool>& interrupted) {
  return Comparing(order, progress).run(interrupted);
}

}  // namespace holdfast
