// The verdict of a whole run: a matrix of cells (one lock under one scenario), each repeated k times, against what its
// scenario expected. Written last, as verdict.json in the run's folder: a folder without it is incomplete.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "artifact/verdict.hpp"

namespace holdfast {

// How a trial, a cell or a run compares with what was expected. Order: the worse, the later.
enum class Outcome : std::uint8_t {
  as_expected,    // holds, as expected
  caught,         // violated, as expected
  unavailable,    // this machine cannot do it
  undecided,      // undecided or not exercised, and nobody expected that
  harness_error,  // the harness failed, a fault did not act
  missed,         // an expected violation was not seen
  unexpected,     // violated, and nobody expected that
};
const char* to_text(Outcome);
bool from_text(const std::string& word, Outcome& out);

// A property that did not come out as expected.
struct Mismatch {
  std::string property;
  std::string expected;  // as in the scenario: "violated:overrun", "holds"
  std::string seen;
};

struct FaultProof {
  std::string fault;
  int acted = 0;  // how often it was measured to be in force
  int planned = 0;
  std::string detail;       // e.g. "longest 4.51 s"
  std::string unavailable;  // reason, when this machine cannot do it
};

// What became of a trial's paired control: the same plan with the flaw removed.
struct ControlResult {
  std::string lock;
  std::string removes;  // in the scenario's words
  std::string folder;   // relative to the run's folder
  bool held = false;
  std::string seen;  // when it did not: "lease_exclusion violated:algorithm"
};

struct TrialResult {
  int number = 1;
  std::uint64_t seed = 0;
  std::string folder;  // relative to the run's folder
  Outcome outcome = Outcome::as_expected;
  std::string error;  // harness_error, unavailable: why
  std::vector<Mismatch> mismatches;
  TrialVerdict verdict;  // without its timeline, which stays in the trial's own verdict.json
  std::vector<FaultProof> faults;
  std::optional<ControlResult> control;  // only where a control was asked for
  double seconds = 0;
  double cpu_seconds = 0;  // of the lab: servers and clients
};

struct Cell {
  std::string lock;
  std::string scenario;
  Outcome outcome = Outcome::as_expected;
  int trials_as_expected = 0;                   // k of trials.size()
  std::map<std::string, std::string> expected;  // property -> what the scenario states
  std::string why;                              // the scenario's reason for what it expects
  std::vector<TrialResult> trials;
};

struct RunVerdict {
  std::string version;      // of holdfast
  std::string started_utc;  // 2026-01-31T12:00:00Z
  std::string suite;
  std::string server;   // "MariaDB 10.11.19"
  std::string command;  // runs it again, as pasted
  std::uint64_t seed = 0;
  double seconds = 0;
  std::int64_t stalls = 0;  // how often the machine itself stood still during a trial
  bool interrupted = false;
  int exit_code = 0;
  std::string sentence;                // the first line of every report
  std::vector<std::string> locks;      // rows, in order
  std::vector<std::string> scenarios;  // columns, in order
  std::vector<Cell> cells;
  std::vector<FaultProof> faults;  // summed over the run
};

nlohmann::json to_json(const RunVerdict&);
RunVerdict run_verdict_from_json(const nlohmann::json&);  // throws BadInput

}  // namespace holdfast
