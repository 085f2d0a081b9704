// A comparison: several variants (a lock, optionally with its own settings) under the same scenarios and seeds. Plain
// data, and the field tables of `compare.json`, from which docs/compare.schema.json is generated.
//
// A cell is one variant under one scenario. Trials with the same number have the same seed in all variants and ran in
// turn. Safety is the checker's result, k of n trials; service is measured (checker/service.hpp), per trial and over
// all trials of a cell. Times are nanoseconds since the start of the trial.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "artifact/verdict.hpp"

namespace holdfast {

struct ComparedLatency {
  std::int64_t count = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p99_ns = 0;  // by nearest rank; of few waits the longest
  std::int64_t most_ns = 0;

  static const JsonForm<ComparedLatency>& form();
};

// Numbers of one trial, or summed over a cell's trials.
struct ServiceNumbers {
  std::int64_t trials = 0;
  std::int64_t load_ns = 0;
  std::int64_t grants = 0;
  std::int64_t statements = 0;
  std::int64_t fencing_rejections = 0;
  std::int64_t unavailable_ns = 0;
  std::int64_t longest_gap_ns = 0;
  std::int64_t recoveries = 0;
  std::int64_t slowest_recovery_ns = 0;
  std::int64_t unrecovered = 0;  // fault ends after which no requested key was granted
  ComparedLatency uncontended;
  ComparedLatency contended;

  double grants_per_s() const;
  double statements_per_grant() const;  // 0 without grants

  static const JsonForm<ServiceNumbers>& form();
};

enum class TrialState : std::uint8_t { judged, unavailable, harness_error };
const char* to_text(TrialState);
bool from_text(const std::string& word, TrialState& out);

struct ComparedProperty {
  std::string property;
  Judgement judgement = Judgement::not_applicable;
  std::map<std::string, std::int64_t> kinds;  // violated only
  std::string text;                           // the first witness in words, or the reason
  std::int64_t from_ns = 0;                   // the first witness
  std::int64_t to_ns = 0;

  static const JsonForm<ComparedProperty>& form();
};

struct ComparedSpan {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;

  static const JsonForm<ComparedSpan>& form();
};

struct ComparedTrial {
  int number = 1;
  std::uint64_t seed = 0;
  std::string folder;  // relative to the comparison's folder
  TrialState state = TrialState::judged;
  std::string error;
  std::vector<ComparedProperty> properties;
  ServiceNumbers service;
  // For the diagram: events and their times.
  std::int64_t end_ns = 0;
  std::vector<FaultSpan> faults;
  std::vector<ComparedSpan> gaps;
  std::vector<std::int64_t> grants_by_bin;  // each bin is kBin_ns long

  static const JsonForm<ComparedTrial>& form();
};
inline constexpr std::int64_t kBin_ns = 250'000'000;

// One property over a cell's trials: `violated` of the `judged` trials, which are those with violated or holds. Other
// trials are counted separately and do not count as passes.
struct SafetyCount {
  std::string property;
  std::int64_t violated = 0;
  std::int64_t judged = 0;
  std::int64_t undecided = 0;
  std::int64_t not_exercised = 0;
  std::map<std::string, std::int64_t> kinds;
  std::string text;  // from the first violation

  static const JsonForm<SafetyCount>& form();
};

struct ComparedCell {
  std::string variant;
  std::string scenario;
  std::vector<SafetyCount> safety;
  ServiceNumbers service;
  std::vector<ComparedTrial> trials;

  static const JsonForm<ComparedCell>& form();
};

struct ComparedVariant {
  std::string name;  // "upsert_lease+found_rows", "insert_lease lease_ms=500"
  std::string lock;
  std::map<std::string, std::string> settings;  // "lease_ms" -> "500"
  std::string advice{};                         // where to use the lock, and what to use instead; empty: nothing known

  static const JsonForm<ComparedVariant>& form();
};

// Change of a cell's property since an earlier result.
enum class Change : std::uint8_t { same, fixed, still, flaky, unknown, fresh };
const char* to_text(Change);  // fresh: "new"
bool from_text(const std::string& word, Change& out);

struct ComparedChange {
  std::string variant;
  std::string scenario;
  std::string property;
  Change change = Change::same;
  std::int64_t violated_before = 0;
  std::int64_t judged_before = 0;
  std::int64_t violated = 0;
  std::int64_t judged = 0;
  std::string why;  // in words

  static const JsonForm<ComparedChange>& form();
};

struct Comparison {
  std::string version;
  std::string started_utc;
  std::string command;
  std::string server;
  std::uint64_t seed = 0;
  int repeat = 1;
  int jobs = 1;
  double seconds = 0;
  std::int64_t stalls = 0;
  bool interrupted = false;
  int exit_code = 0;
  std::vector<ComparedVariant> variants;
  std::vector<std::string> scenarios;
  std::vector<ComparedCell> cells;  // scenario by scenario, the variants in order
  std::vector<std::string> notes;   // notes that the locks' manifests want shown with every result
  std::string baseline;             // path of the baseline file; empty: none
  std::vector<ComparedChange> changes;

  static const JsonForm<Comparison>& form();
};

const ComparedCell* find_cell(const Comparison&, const std::string& variant, const std::string& scenario);

}  // namespace holdfast
