// Makes a find smaller, one step after the other: a step is kept if the same is shown again.
//
//   Shrunk shrunk = shrink(found, "mutual_exclusion:algorithm", make, {.interrupted = &interrupted, .until = until});
//
// A race shows in some trials only, so each step has a few, and at the end the smallest has some more, which tell how
// often it shows. A step that was not shown is not taken: then the scenario stays larger than it need be, never too
// small. Bounded by a number of trials in all.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace holdfast {

struct ShrinkLimits {
  const std::atomic<bool>* interrupted = nullptr;
  std::chrono::steady_clock::time_point until;  // no trial begins after it
  int most_trials = 120;
  int tries = 3;  // of each step
  int least = 2;  // of these must show it, so that what is left can be shown to others
  int again = 5;  // of the smallest
};

struct Shrunk {
  nlohmann::json scenario;  // the smallest that showed it
  int trials = 0;
  int shown = 0;  // of `again`
  int again = 0;
  bool ended = false;  // no smaller one shows it; false: the time or the trials were over
};

// Runs a trial of the scenario, and says whether it shows what is looked for. The trial leaves nothing. Called by
// several threads at a time, each with a number of its own.
using ShowsAgain = std::function<bool(const nlohmann::json& scenario, int trial)>;

Shrunk shrink(const nlohmann::json& found, const ShowsAgain& shows, const ShrinkLimits& limits);

}  // namespace holdfast
