// A soak: random trials within the bounds of a suite's scenarios, for hours. A violation that the scenario does not
// name is kept and shrunk: fewer faults, fewer clients, shorter, as long as the same kind of violation occurs again.
//
//   Soak soak(order, [](const SoakState& s) { ... });      // after each trial; finds are marked `changed`
//   SoakState all = soak.run(interrupted);
//
// A find is a lock, a property and a kind of violation; each is kept once. If one trial shows several new ones, the
// most severe is the find and lists the others. In order.folder, cells/ has the kept trials, and finds/N/NAME.json the
// scenario: `holdfast run finds/N/NAME.json --seed SEED` runs it again with the same plan, and passes once the flaw is
// fixed. Other trials are removed immediately, so disk usage depends only on the number of finds. Each find is written
// to the disk immediately, so a killed soak loses none.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "artifact/json_fields.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

struct SoakOrder {
  std::vector<Scenario> scenarios;
  std::vector<std::string> only;  // LOCK/SCENARIO, as for a run
  std::uint64_t seed = 1;
  int jobs = 1;
  std::string folder;
  std::string sabotage;
  std::vector<std::string> servers;  // NAME=PATH, as for a run
  std::chrono::steady_clock::time_point until;
  int most_finds = 100;  // further ones are counted but not kept
};

struct SoakFind {
  int number = 1;
  std::string lock;
  std::string scenario;  // whose bounds it was drawn in
  std::string property;
  std::string kind;
  std::vector<std::string> also;  // other new finds of the same trial, as PROPERTY:KIND; not shrunk separately
  std::uint64_t seed = 0;         // of a run of `file`
  std::string file;               // relative to the soak's folder
  std::string folder;             // of a trial that shows it
  std::string found_as;           // size_of_scenario
  std::string shrunk_to;          // empty: shrinking was not completed
  int shrink_trials = 0;
  int shown = 0;  // of `again` trials of the smallest scenario, how many showed it
  int again = 0;

  static const JsonForm<SoakFind>& form();
};

struct SoakState {
  std::int64_t trials = 0;
  std::int64_t judged = 0;       // trials in which a property held or was violated
  std::int64_t unavailable = 0;  // this machine cannot run them
  std::int64_t harness_errors = 0;
  std::int64_t faults_planned = 0;
  std::int64_t faults_acted = 0;
  std::int64_t not_kept = 0;  // finds beyond the maximum
  int shrinking = 0;          // at present
  std::vector<SoakFind> finds;
  std::vector<std::string> errors;  // the first harness errors
  std::string server;
  std::vector<std::string> notes;  // notes that the locks' manifests want shown with every result
  bool interrupted = false;
};

// soak.json.
struct SoakResult {
  std::uint64_t seed = 0;
  double seconds = 0;
  std::string command;  // repeats this soak
  SoakState state;

  static const JsonForm<SoakResult>& form();
};

// 130 if interrupted; 1: a find; 5: the harness failed; 4: nothing could run here; 3: nothing was judged; 0.
int exit_code_of(const SoakState& state);

// Throws BadInput if nothing can be drawn.
SoakState run_soak(const SoakOrder& order, const std::function<void(const SoakState&)>& after_each,
                   const std::atomic<bool>& interrupted);

}  // namespace holdfast
