// Runs a comparison: every variant under every scenario, n times, in turn; then the checker's verdicts and the measured
// service of each trial become one Comparison. The trials are those of `run`: same labs, same folders, same checks.
//
//   CompareOrder order{variants, scenarios, ...};
//   Comparison all = compare(order, progress, interrupted);
//
// A comparison has no expectation. It takes turns (turns.hpp), its own order of the pool, because the order matters:
// variants alternate. What a lock's service was (checker/service.hpp) is measured in a second reading of the history,
// so that verdicts and their files know nothing of it.
//
// Every variant has a folder of its own in the comparison's, V1 and so on, with its trials' folders in it. It writes
// nothing else: compare.json, written last by the caller, makes the folder complete.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/scenario.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {

struct CompareOrder {
  std::vector<ComparedVariant> variants;
  std::vector<Scenario> scenarios;  // as they are in their files
  bool as_written = false;
  std::uint64_t seed = 1;
  int repeat = 1;
  int jobs = 1;
  std::string folder;
  std::vector<std::string> servers;  // this and the next: as SuiteOptions has them
  Sandbox* target = nullptr;
  std::string sabotage;
};

struct CompareProgress {
  int done = 0;
  int trials = 0;
  std::string last;  // "insert_lease quick/pause"
};

// Throws BadInput when something cannot be run as ordered: a scenario twice, a lock on another server than the
// scenario's topology has, a setting that no scenario knows. Call it before anything starts.
void check_order(const CompareOrder& order);

Comparison compare(const CompareOrder& order, const std::function<void(const CompareProgress&)>& progress,
                   const std::atomic<bool>& interrupted);

}  // namespace holdfast
