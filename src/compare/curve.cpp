#include "compare/curve.hpp"

#include <algorithm>

#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "artifact/run_directory.hpp"
#include "compare/curve_tally.hpp"
#include "compare/envelope_search.hpp"
#include "lock/lock.hpp"
#include "suite/stored_result.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

class CurveMeasurement {
 public:
  CurveMeasurement(const CurveOrder& order, const std::function<void(const SuiteProgress&)>& progress,
                   const std::atomic<bool>& interrupted)
      : order_(order), progress_(progress), interrupted_(interrupted), options_(order.options) {
    options_.in_order = true;
    options_.once = true;  // a share of violations needs no controls
    options_.only.clear();
    out_.lock = order.aim.lock;
    out_.fault = order.aim.fault;
    out_.plans = order.plans;
    out_.seed = order.options.seed;
    out_.fenced = type_of_ref(out_.lock).fenced;
    out_.judged_by = envelope_properties(order.property);
  }

  CurveRun run() {
    if (const auto facts = first_trial()) measure(aimed_points(order_.aim, *facts));
    out_.interrupted = interrupted_.load();
    return std::move(out_);
  }

 private:
  RunVerdict run_trials_of(const std::vector<Scenario>& scenarios, int repeat) {
    options_.scenarios = scenarios;
    options_.repeat = repeat;
    if (options_.resume) check_plans();
    RunVerdict verdict = run_suite(options_, progress_, interrupted_);
    options_.resume = true;  // of the folder's own trials
    out_.seconds += verdict.seconds;
    if (!verdict.server.empty()) out_.server = verdict.server;
    out_.notes = verdict.notes;
    return verdict;
  }

  // Refuses trials of another order.
  void check_plans() const {
    const RunDirectory run(options_.folder);
    for (const auto& scenario : options_.scenarios) {
      for (int number = 1; number <= options_.repeat; ++number) {
        const TrialJob job{options_, scenario, out_.lock, number};
        check_plan(run, trial_folder(out_.lock, scenario.name, number), job.plan_of_trial());
      }
    }
  }

  // Returns the lock's statements and requests; empty: interrupted before they were known.
  std::optional<LockFacts> first_trial() {
    const RunVerdict first = run_trials_of({lapses_scenario(out_.lock, order_.aim.lease_ms)}, 1);
    if (interrupted_.load()) return std::nullopt;
    const TrialResult& trial = first.cells.at(0).trials.at(0);
    if (trial.outcome == Outcome::unavailable) throw Unavailable(trial.error);
    if (failed(trial)) throw HarnessError("the first trial failed: " + trial.error);
    const RunDirectory run(options_.folder);
    const TrialFacts told = read_trial_facts(run.file(trial.folder + "/facts.json"));
    return read_facts(run.file(trial.folder + "/history.jsonl"), told.requests);
  }

  void check_some(const AimedPoints& aimed) const {
    const bool some = std::any_of(aimed.points.begin(), aimed.points.end(),
                                  [](const AimedPoint& point) { return point.part != CurvePart::no_fault; });
    if (some) return;
    const std::string why = aimed.left_out.empty() ? "no operation of it was seen" : aimed.left_out.front().why;
    throw BadInput("--fault " + out_.fault + ": has no point in " + out_.lock + ": " + why);
  }

  void measure(const AimedPoints& aimed) {
    check_some(aimed);
    out_.for_ms = aimed.for_ms;
    out_.lease_ms = aimed.lease_ms;
    out_.left_out = aimed.left_out;
    std::vector<Scenario> scenarios;
    for (const auto& point : aimed.points) scenarios.push_back(point.scenario);
    const RunVerdict verdict = run_trials_of(scenarios, order_.plans);
    const CurveTally tally(out_.judged_by, out_.fenced && order_.property.empty());
    for (const auto& point : aimed.points) out_.points.push_back(counted(point, verdict, tally));
  }

  CurvePoint counted(const AimedPoint& point, const RunVerdict& verdict, const CurveTally& tally) const {
    CurvePoint out;
    out.part = point.part;
    out.scenario = point.scenario.name;
    out.moment = point.moment;
    out.tick = point.tick;
    out.elapsed_ms = point.elapsed_ms;
    out.planned = order_.plans;
    for (const auto& cell : verdict.cells) {
      if (cell.scenario != out.scenario) continue;
      for (const auto& trial : cell.trials) tally.add(trial, out);
    }
    set_interval(out);
    return out;
  }

  const CurveOrder& order_;
  const std::function<void(const SuiteProgress&)>& progress_;
  const std::atomic<bool>& interrupted_;
  SuiteOptions options_;
  CurveRun out_;
};

}  // namespace

CurveRun measure_curve(const CurveOrder& order, const std::function<void(const SuiteProgress&)>& progress,
                       const std::atomic<bool>& interrupted) {
  return CurveMeasurement(order, progress, interrupted).run();
}

}  // namespace holdfast
