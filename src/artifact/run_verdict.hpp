// The verdict of a whole run: a matrix of cells (one lock under one scenario), each repeated k times and compared with
// the scenario's expectation. Written last, as verdict.json in the run's folder; a folder without it is incomplete.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "artifact/comparison.hpp"
#include "artifact/time_mode.hpp"
#include "artifact/verdict.hpp"

namespace holdfast {

// Result of a trial, a cell or a run compared with the expectation, from best to worst.
enum class Outcome : std::uint8_t {
  as_expected,     // holds, as expected
  allowed,         // violated in a way that the scenario allows
  caught,          // violated, as expected
  unavailable,     // this machine cannot run it
  not_run,         // only of a cell: the run ended before all its trials had begun
  nothing_judged,  // as expected, every property was not exercised, not applicable or not requested: nothing is known
  undecided,       // undecided or not exercised, unexpectedly
  harness_error,   // the harness failed, a fault did not act
  missed,          // an expected violation was not seen
  unexpected,      // violated, unexpectedly
};
const char* to_text(Outcome);
bool from_text(const std::string& word, Outcome& out);

// A property whose result was not as expected.
struct Mismatch {
  std::string property;
  std::string expected;  // in the scenario's words: "violated:overrun", "holds"
  std::string seen;

  static const JsonForm<Mismatch>& form();
};

struct FaultProof {
  std::string fault;
  int acted = 0;  // trials in which it was measured to be in force
  int planned = 0;
  std::string detail;        // e.g. "longest 4.51 s"
  std::string unavailable;   // reason, if this machine cannot do it
  StruckCounts struck = {};  // for a fault aimed at a grant
  std::int64_t holders = 0;  // holders that it struck

  static const JsonForm<FaultProof>& form();
};

// "stopped for 4.802 s; running again; acquires struck: 2 granted, 1 refused"
std::string measured_text(const FaultProof&);

// Result of a trial's paired control: the same plan with the flaw removed.
struct ControlResult {
  std::string lock;
  std::string removes;  // in the scenario's words
  std::string folder;   // relative to the run's folder
  bool held = false;
  std::string seen;  // its result, if it did not hold: "lease_exclusion violated:algorithm"

  static const JsonForm<ControlResult>& form();
};

// State of a suspected cause: known results first, then unknown ones.
enum class CauseState : std::uint8_t {
  confirmed,    // all wanted controls held
  unconfirmed,  // a control without the faults shows the same
  open,         // too few controls could be judged
};
const char* to_text(CauseState);
bool from_text(const std::string& word, CauseState& out);

inline constexpr int kCauseControls = 5;  // number that must hold before a suspicion is called a cause

// Result of the controls for one kind of violation: several runs of the same plan without the faults that the checker
// suspects. For kinds that no fault gives (`algorithm`, `overrun`) the controls have no fault and show whether the
// finding needs the faults at all.
struct CauseFinding {
  std::string property;
  std::string kind;
  bool of_fault = false;            // the kind is the cause of `faults`; false: `faults` are all of the plan's
  std::vector<std::string> faults;  // faults removed from the controls
  CauseState state = CauseState::open;
  int held = 0;
  int judged = 0;                    // held, or showed the same
  std::string note;                  // why fewer than kCauseControls were judged; else empty
  std::vector<std::string> folders;  // folders of the controls, relative to the run's folder

  static const JsonForm<CauseFinding>& form();
};

// "confirmed, 5 of 5"; "unconfirmed, 1 of 2".
std::string confirmation_text(const CauseFinding&);

struct TrialResult {
  int number = 1;
  std::uint64_t seed = 0;
  std::string folder;  // relative to the run's folder
  Outcome outcome = Outcome::as_expected;
  std::string error;  // harness_error, unavailable: why
  std::vector<Mismatch> mismatches;
  TrialVerdict verdict;  // without the timeline, which is in the trial's own verdict.json
  std::vector<FaultProof> faults;
  std::optional<ControlResult> control;  // present if a control was requested
  std::vector<CauseFinding> causes;      // for unexpected kinds; with --controls for all kinds that faults give
  double seconds = 0;
  double cpu_seconds = 0;  // of the lab: servers and clients
  TimeMode time = TimeMode::real;
  std::string time_doubt;  // why it was repeated in real time; empty: it was not

  static const JsonForm<TrialResult>& form();
};

// Returns true if the property's result differs from the expectation.
bool is_mismatch(const TrialResult& trial, const std::string& property);

// Prefix of an expectation: the property must hold, except that violations of the listed kinds are allowed
// (suite/documented.hpp).
inline constexpr const char* kHoldsBut = "holds_but:";

struct Cell {
  std::string lock;
  std::string scenario;
  Outcome outcome = Outcome::as_expected;
  int trials_as_expected = 0;                   // k of trials_planned()
  std::map<std::string, std::string> expected;  // expectation by property
  std::string about;                            // what the scenario does
  std::string why;                              // the scenario's reason for its expectation
  std::vector<TrialResult> trials;              // the trials that were run
  std::string suite;                            // the folder of its scenario
  int planned = 0;                              // requested trials; 0: as many as `trials` has
  // Repeated until it was decided (suite/stop_rule.hpp): if an expected violation was seen, trials without it do not
  // count.
  bool until_decided = false;

  int trials_planned() const { return std::max(planned, static_cast<int>(trials.size())); }
  int trials_not_run() const { return trials_planned() - static_cast<int>(trials.size()); }

  static const JsonForm<Cell>& form();
};

// Suite and scenario name of explored locks: simulated clients, no real time.
inline constexpr const char* kExplored = "explore";

inline bool is_explored(const Cell& cell) {
  return cell.suite.empty() && cell.scenario == kExplored;
}

// A scenario left out of a generated suite, with the reason: it could show nothing new, or does not apply to the lock.
struct NotTried {
  std::string lock;
  std::string what;
  std::string why;
  std::vector<FaultProof> faults{};  // faults that acted nevertheless, for a cell that showed nothing new
  bool not_needed = false;           // it does not apply to the lock, or is the same as another scenario

  static const JsonForm<NotTried>& form();
};

// Change of a cell's property since an earlier run: judged trials that were not as expected, before and now.
struct RunChange {
  std::string lock;
  std::string scenario;
  std::string property;
  Change change = Change::same;
  std::int64_t bad_before = 0;
  std::int64_t judged_before = 0;
  std::int64_t bad = 0;
  std::int64_t judged = 0;
  std::string why;  // in words

  static const JsonForm<RunChange>& form();
};

// A lock's grade as in reports (reports/grade.hpp), for programs.
struct GradeRecord {
  std::string lock;
  std::string grade;                 // safe, as_safe_as_a_lease, broken, not_known
  std::string reason;                // in whole sentences
  std::vector<std::string> missing;  // what a better grade needs

  static const JsonForm<GradeRecord>& form();
};

// Evaluations of one assertion by all trials of a lock.
struct AssertionRecord {
  std::string lock;
  AssertionCount count;
  bool reached = false;  // false: the run did not test it, so it is not a pass

  static const JsonForm<AssertionRecord>& form();
};

struct RunVerdict {
  std::string version;      // of holdfast
  std::string started_utc;  // 2026-01-31T12:00:00Z
  std::string suite;
  std::string server;   // "MariaDB 10.11.19, Redis 7.0.15"
  std::string command;  // repeats it, quoted for a shell
  std::uint64_t seed = 0;
  double seconds = 0;
  std::int64_t stalls = 0;  // stalls of the machine during trials
  bool interrupted = false;
  int exit_code = 0;
  std::string sentence;                // the first line of every report
  std::vector<std::string> locks;      // rows, in order
  std::vector<std::string> scenarios;  // columns, in order
  std::vector<Cell> cells;
  std::vector<FaultProof> faults;    // summed over the run
  std::vector<std::uint64_t> seeds;  // for a run with several seeds, one repetition each; `seed` is the first
  std::string within;                // only for a search: the bounds within which its results apply
  std::string shard;                 // "2/4": only these cells were to be run; else empty
  std::string stopped;               // why trials were not run, e.g. "the time budget of 10m was over"; else empty
  std::vector<NotTried> not_tried;   // for a generated suite
  std::string baseline;              // path of the baseline; empty: none
  std::vector<RunChange> changes;    // changes since then, worst first, without unchanged properties
  std::string rule;                  // rule for repeating cells, in words; empty: a fixed number
  std::vector<std::string> notes;    // notes that the locks' manifests want shown with every result
  std::string not_again;             // for a replay: the violation did not occur again; else empty
  bool strict = false;               // lapses of leases count as broken promises
  std::vector<std::string> leases_without_tokens{};  // locks with leases but without tokens
  std::vector<GradeRecord> grades{};                 // grades of locks that are judged by their promises alone
  // Assertions of the locks' authors; empty for a shard or a replay, which has only a part of the trials.
  std::vector<AssertionRecord> assertions{};

  static const JsonForm<RunVerdict>& form();
};

// True if no trial reached an assertion: the run is then not a pass.
bool has_unreached(const RunVerdict&);

// Version of verdict.json's form. Older files have other words, or no grades, and are refused (docs/changes.md).
inline constexpr std::int64_t kRunVersion = 5;

}  // namespace holdfast
