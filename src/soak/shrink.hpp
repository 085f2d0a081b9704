// Makes a find smaller step by step: a step is kept if the same violation occurs again.
//
//   Shrunk shrunk = shrink(found, "mutual_exclusion:algorithm", make, {.interrupted = &interrupted, .until = until});
//
// A race occurs in some trials only, so each step gets a few trials, and the smallest scenario gets more at the end, to
// measure how often it occurs. A step without the violation is undone, so the scenario may stay larger than necessary
// but never loses the find. The total number of trials is bounded.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace holdfast {

struct ShrinkLimits {
  const std::atomic<bool>* interrupted = nullptr;
  std::chrono::steady_clock::time_point until;  // no trial begins later
  int most_trials = 120;
  int tries = 3;  // for each step
  int least = 2;  // minimum of these that must show it, so that the result is reproducible
  int again = 5;  // for the smallest
};

struct Shrunk {
  nlohmann::json scenario;  // the smallest that showed it
  int trials = 0;
  int shown = 0;  // trials of `again` that showed it
  int again = 0;
  bool ended = false;  // no smaller one shows it; false: the time or the trials were over
};

// Runs a trial of the scenario and returns whether it shows the violation. The trial's files are removed. Called by
// several threads, each with its own number.
using ShowsAgain = std::function<bool(const nlohmann::json& scenario, int trial)>;

Shrunk shrink(const nlohmann::json& found, const ShowsAgain& shows, const ShrinkLimits& limits);

}  // namespace holdfast
