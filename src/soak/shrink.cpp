#include "soak/shrink.hpp"

#include <algorithm>
#include <atomic>

#include "artifact/error.hpp"
#include "lab/workers.hpp"
#include "soak/drawn_scenario.hpp"

namespace holdfast {
namespace {

class Shrinking {
 public:
  Shrinking(const ShowsAgain& shows, const ShrinkLimits& limits) : shows_(shows), limits_(limits) {}

  Shrunk run(nlohmann::json found) {
    out_.scenario = std::move(found);
    while (pass()) {
    }
    out_.ended = may_go_on();
    if (!in_time()) return out_;
    out_.again = limits_.again;
    out_.shown = shown(out_.scenario, limits_.again);
    return out_;
  }

 private:
  bool in_time() const { return !limits_.interrupted->load() && std::chrono::steady_clock::now() < limits_.until; }
  bool may_go_on() const { return in_time() && out_.trials < limits_.most_trials; }

  // Makes one pass over all kinds of steps, each as often as it succeeds. Returns true if one succeeded.
  bool pass() {
    bool taken = false;
    for (std::size_t at = 0; may_go_on();) {
      const auto steps = smaller_scenarios(out_.scenario);
      if (at >= steps.size()) return taken;
      if (shown(steps[at], std::min(limits_.tries, limits_.most_trials - out_.trials)) < limits_.least) {
        ++at;
      } else {
        out_.scenario = steps[at];
        taken = true;
      }
    }
    return false;
  }

  // Counts the trials that show it, run in parallel: trials mostly wait.
  int shown(const nlohmann::json& scenario, int trials) {
    std::atomic<int> begun = 0;
    std::atomic<int> out = 0;
    side_by_side(trials, [&](int) {
      for (int i = begun.fetch_add(1); i < trials; i = begun.fetch_add(1)) {
        if (shown_in(scenario, out_.trials + i + 1)) ++out;
      }
    });
    out_.trials += trials;
    return out;
  }

  // A step may produce an invalid scenario, which does not count as smaller.
  bool shown_in(const nlohmann::json& scenario, int trial) const {
    try {
      return shows_(scenario, trial);
    } catch (const BadInput&) {
      return false;
    }
  }

  const ShowsAgain& shows_;
  const ShrinkLimits& limits_;
  Shrunk out_;
};

}  // namespace

Shrunk shrink(const nlohmann::json& found, const ShowsAgain& shows, const ShrinkLimits& limits) {
  return Shrinking(shows, limits).run(found);
}

}  // namespace holdfast
