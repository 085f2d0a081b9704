#include "suite/suite.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "artifact/error.hpp"
#include "suite/expectation.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

struct Place {
  std::size_t cell;
  std::size_t trial;
};

class Conveyor {
 public:
  Conveyor(const SuiteOptions& options, const std::function<void(const SuiteProgress&)>& progress,
           const std::atomic<bool>& interrupted)
      : options_(options), progress_(progress), interrupted_(interrupted) {}

  RunVerdict run() {
    const auto begin = std::chrono::steady_clock::now();
    verdict_.cells = plan_cells(options_);
    for (std::size_t t = 0; t < static_cast<std::size_t>(options_.repeat); ++t) {
      for (std::size_t c = 0; c < verdict_.cells.size(); ++c) waiting_.push_back({c, t});
    }
    for (auto& cell : verdict_.cells) cell.trials.resize(static_cast<std::size_t>(options_.repeat));
    // The longest first, so that no long one is left to run alone at the end.
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [this](const Place& a, const Place& b) { return duration_of(a) > duration_of(b); });
    state_.trials = static_cast<int>(waiting_.size());
    work(options_.jobs);
    again_alone();
    finish();
    verdict_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(verdict_);
  }

 private:
  void work(int jobs) {
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(jobs));
    for (int i = 0; i < jobs; ++i) threads.emplace_back([this] { worker(); });
    for (auto& thread : threads) thread.join();
  }

  void worker() {
    while (!interrupted_.load()) {
      std::unique_lock guard(mutex_);
      if (waiting_.empty()) return;
      const Place place = waiting_.front();
      waiting_.pop_front();
      ++state_.running;
      const Cell cell = header_of(verdict_.cells[place.cell]);
      guard.unlock();
      TrialJob job{options_, scenario_of(cell), cell.lock, static_cast<int>(place.trial) + 1};
      TrialResult result = job.run(interrupted_, surroundings_);
      guard.lock();
      --state_.running;
      if (interrupted_.load()) return;
      done_.push_back(place);
      report(place, std::move(result));
    }
  }

  std::int64_t duration_of(const Place& place) const {
    const Cell& cell = verdict_.cells[place.cell];
    return scenario_of(cell).settings_of(cell.lock).load.duration_ms;
  }

  static Cell header_of(const Cell& cell) {
    Cell out;
    out.lock = cell.lock;
    out.scenario = cell.scenario;
    return out;
  }

  const Scenario& scenario_of(const Cell& cell) const {
    return *std::find_if(options_.scenarios.begin(), options_.scenarios.end(), [&](const auto& s) {
      return s.name == cell.scenario && std::find(s.locks.begin(), s.locks.end(), cell.lock) != s.locks.end();
    });
  }

  void report(const Place& place, TrialResult result) {
    Cell& cell = verdict_.cells[place.cell];
    cell.trials[place.trial] = std::move(result);
    ++state_.done;
    state_.last = &cell.trials[place.trial];
    state_.cell = &cell;
    progress_(state_);
  }

  // Many labs on few processors make stalls of their own; one that runs alone has no such excuse.
  void again_alone() {
    if (interrupted_.load()) return;
    for (const auto& place : done_) {
      if (verdict_.cells[place.cell].trials[place.trial].outcome == Outcome::undecided) waiting_.push_back(place);
    }
    state_.trials += static_cast<int>(waiting_.size());
    done_.clear();
    work(1);
  }

  void finish() {
    verdict_.interrupted = interrupted_.load();
    verdict_.seed = options_.seed;
    verdict_.server = surroundings_.server();
    verdict_.stalls = surroundings_.stalls();
    for (auto& cell : verdict_.cells) {
      // Only an interrupt leaves trials that never ran; they have no number.
      auto& trials = cell.trials;
      trials.erase(std::remove_if(trials.begin(), trials.end(), [](const auto& t) { return t.folder.empty(); }),
                   trials.end());
      sum_up(cell);
      if (std::find(verdict_.locks.begin(), verdict_.locks.end(), cell.lock) == verdict_.locks.end())
        verdict_.locks.push_back(cell.lock);
      if (std::find(verdict_.scenarios.begin(), verdict_.scenarios.end(), cell.scenario) == verdict_.scenarios.end()) {
        verdict_.scenarios.push_back(cell.scenario);
      }
      for (const auto& trial : trials) {
        for (const auto& proof : trial.faults) add_proof(verdict_.faults, proof);
      }
    }
    verdict_.exit_code = exit_code_of(verdict_);
  }

  const SuiteOptions& options_;
  const std::function<void(const SuiteProgress&)>& progress_;
  const std::atomic<bool>& interrupted_;
  std::mutex mutex_;
  std::deque<Place> waiting_;
  std::vector<Place> done_;
  SuiteProgress state_;
  RunVerdict verdict_;
  Surroundings surroundings_;
};

}  // namespace

RunVerdict run_suite(const SuiteOptions& options, const std::function<void(const SuiteProgress&)>& progress,
                     const std::atomic<bool>& interrupted) {
  return Conveyor(options, progress, interrupted).run();
}

}  // namespace holdfast
