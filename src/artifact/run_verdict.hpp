// The verdict of a whole run: a matrix of cells (one lock under one scenario), each repeated k times, against what its
// scenario expected. Written last, as verdict.json in the run's folder: a folder without it is incomplete.
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

// How a trial, a cell or a run compares with what was expected. Order: the worse, the later.
enum class Outcome : std::uint8_t {
  as_expected,     // holds, as expected
  allowed,         // violated, in a way that the scenario allows
  caught,          // violated, as expected
  unavailable,     // this machine cannot do it
  not_run,         // of a cell: the run ended before all its trials had begun
  nothing_judged,  // every property not exercised, not applicable or not asked for, as expected: nothing is known
  undecided,       // undecided or not exercised, and nobody expected that
  harness_error,   // the harness failed, a fault did not act
  missed,          // an expected violation was not seen
  unexpected,      // violated, and nobody expected that
};
const char* to_text(Outcome);
bool from_text(const std::string& word, Outcome& out);

// A property that did not come out as expected.
struct Mismatch {
  std::string property;
  std::string expected;  // as in the scenario: "violated:overrun", "holds"
  std::string seen;

  static const JsonForm<Mismatch>& form();
};

struct FaultProof {
  std::string fault;
  int acted = 0;  // how often it was measured to be in force
  int planned = 0;
  std::string detail;        // e.g. "longest 4.51 s"
  std::string unavailable;   // reason, when this machine cannot do it
  StruckCounts struck = {};  // of a fault that is aimed at a grant
  std::int64_t holders = 0;  // that it struck

  static const JsonForm<FaultProof>& form();
};

// "stopped for 4.802 s; running; acquires struck: 2 granted, 1 refused"
std::string measured_text(const FaultProof&);

// What became of a trial's paired control: the same plan with the flaw removed.
struct ControlResult {
  std::string lock;
  std::string removes;  // in the scenario's words
  std::string folder;   // relative to the run's folder
  bool held = false;
  std::string seen;  // when it did not: "lease_exclusion violated:algorithm"

  static const JsonForm<ControlResult>& form();
};

// Whether a suspected cause is one. Order: what is known, then what is not.
enum class CauseState : std::uint8_t {
  confirmed,    // all controls that were wanted held
  unconfirmed,  // a control without the faults shows the same
  open,         // too few controls could be judged
};
const char* to_text(CauseState);
bool from_text(const std::string& word, CauseState& out);

inline constexpr int kCauseControls = 5;  // that must hold before a suspicion is called a cause

// What controls say of one kind of violation: the same plan without the faults that the checker suspects, several
// times. Of a kind that no fault gives (`algorithm`, `overrun`) they are without any fault, and tell whether the
// finding needs the faults at all.
struct CauseFinding {
  std::string property;
  std::string kind;
  bool of_fault = false;            // the kind is the cause of `faults`; else they are all that the plan has
  std::vector<std::string> faults;  // that the controls are without
  CauseState state = CauseState::open;
  int held = 0;
  int judged = 0;                    // held, or showed the same
  std::string note;                  // why fewer than kCauseControls were judged; else empty
  std::vector<std::string> folders;  // of the controls, relative to the run's folder

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
  TrialVerdict verdict;  // without its timeline, which stays in the trial's own verdict.json
  std::vector<FaultProof> faults;
  std::optional<ControlResult> control;  // only where a control was asked for
  std::vector<CauseFinding> causes;      // of kinds that were not expected, and with controls of all that faults give
  double seconds = 0;
  double cpu_seconds = 0;  // of the lab: servers and clients
  TimeMode time = TimeMode::real;
  std::string time_doubt;  // why it was run again in real time; empty: it was not

  static const JsonForm<TrialResult>& form();
};

// Whether what was seen of the property is not what was expected of it.
bool is_mismatch(const TrialResult& trial, const std::string& property);

// Begins what is expected of a property that must hold, except that violations of these kinds, and no others, are
// allowed (suite/documented.hpp).
inline constexpr const char* kHoldsBut = "holds_but:";

struct Cell {
  std::string lock;
  std::string scenario;
  Outcome outcome = Outcome::as_expected;
  int trials_as_expected = 0;                   // k of trials_planned()
  std::map<std::string, std::string> expected;  // property -> what is expected of it
  std::string why;                              // the scenario's reason for what it expects
  std::vector<TrialResult> trials;              // those that were carried out
  std::string suite;                            // the folder of its scenario
  int planned = 0;                              // trials that were asked for; 0: as many as there are
  // Repeated until it was decided (suite/stop_rule.hpp): where an expected violation was seen, trials without it count
  // for nothing.
  bool until_decided = false;

  int trials_planned() const { return std::max(planned, static_cast<int>(trials.size())); }
  int trials_not_run() const { return trials_planned() - static_cast<int>(trials.size()); }

  static const JsonForm<Cell>& form();
};

// The suite, and the only scenario, of locks whose schedules were searched: simulated clients, no real time.
inline constexpr const char* kExplored = "explore";

inline bool is_explored(const Cell& cell) {
  return cell.suite.empty() && cell.scenario == kExplored;
}

// What a generated suite left out, and why: it could show nothing new, or does not apply to the lock.
struct NotTried {
  std::string lock;
  std::string what;
  std::string why;
  std::vector<FaultProof> faults{};  // of a cell that told nothing new: those that acted all the same

  static const JsonForm<NotTried>& form();
};

// How a property of a cell stands against an earlier run: in how many of the judged trials it was not as expected.
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

// A lock's grade as reports have it (reports/grade.hpp), for programs.
struct GradeRecord {
  std::string lock;
  std::string grade;                 // safe, as_safe_as_a_lease, broken, not_known
  std::string reason;                // in whole sentences
  std::vector<std::string> missing;  // faults that struck no granted holder

  static const JsonForm<GradeRecord>& form();
};

struct RunVerdict {
  std::string version;      // of holdfast
  std::string started_utc;  // 2026-01-31T12:00:00Z
  std::string suite;
  std::string server;   // "MariaDB 10.11.19, Redis 7.0.15"
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
  std::vector<FaultProof> faults;    // summed over the run
  std::vector<std::uint64_t> seeds;  // of a run with several seeds, one repetition each; `seed` is the first
  std::string within;                // only of a search: the bounds of all that it says
  std::string shard;                 // "2/4": only these cells were to be run; else empty
  std::string stopped;               // why trials were not run, e.g. "the time budget of 10m was over"; else empty
  std::vector<NotTried> not_tried;   // of a generated suite
  std::string baseline;              // the file that it was compared with; empty: none
  std::vector<RunChange> changes;    // since then, the gravest first; what is the same is left out
  std::string rule;                  // how long cells were repeated, in words; empty: a number of times
  std::vector<std::string> notes;    // what the locks' manifests want to be told with every result
  std::string not_again;             // of a replay: that what was violated did not come again; else empty
  bool strict = false;               // lapses of leases count as broken promises
  std::vector<std::string> leases_without_tokens{};  // locks of that kind
  std::vector<GradeRecord> grades{};                 // of the locks that are judged by their promises alone

  static const JsonForm<RunVerdict>& form();
};

// The form of verdict.json; those before 5 have other words, or no grades, and are refused
// (docs/changes.md).
inline constexpr std::int64_t kRunVersion = 5;

}  // namespace holdfast
