// A run in shards: each machine, or each job of an array, runs some of the cells, and `merge` combines them.
//
//   const Shard shard = parse_shard("2/4");                            // or shard_of_job_array(variable)
//   const Dealing dealing = deal_cells(options, shard, recorded);       // the same on every machine
//   options.cells_of_shard = dealing.own();
//
// Whole cells are dealt, because the controls of a cell serve all its repetitions. The longest cell goes first, each to
// the shard with the least work; lengths are those recorded by an earlier run, else the scenario's. A trial's seed and
// plan do not depend on the shard.
//
// A shard's folder keeps the whole assignment: otherwise a missing shard could not be detected.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "suite/suite.hpp"

namespace holdfast {

struct Shard {
  int number = 1;  // from 1
  int of = 1;

  bool operator==(const Shard&) const = default;
};

inline constexpr int kMostShards = 10'000;

std::string to_text(const Shard& shard);      // "2/4"
std::string shard_words(const Shard& shard);  // "shard 2 of 4"
Shard parse_shard(const std::string& text);   // throws BadInput

// The value of an environment variable; empty: it is not set.
using Variable = std::function<std::string(const std::string& name)>;

// Determines this job in an array: Slurm's, GitLab's, or an indexed Kubernetes job's. Throws BadInput if there is none
// or several, or if the variables do not give the number of jobs: a missing shard would leave part of the suite out.
Shard shard_of_job_array(const Variable& variable);

// Assigns each part, with these lengths, to a shard, from 1. Each shard gets at least one if there are enough.
std::vector<int> deal(const std::vector<std::int64_t>& lengths_ms, int shards);

// An indivisible part: LOCK/SCENARIO of a run, a lock of a search, SUITE/SCENARIO of a comparison.
struct DealtPart {
  std::string name;
  int shard = 1;

  bool operator==(const DealtPart&) const = default;
  static const JsonForm<DealtPart>& form();
};

struct Dealing {
  Shard shard;  // of this folder
  std::vector<DealtPart> parts;

  std::set<std::string> own() const;
  int count_of(int shard) const;
  static const JsonForm<Dealing>& form();
};

// Throws BadInput if there are fewer parts than shards, since an empty shard would look like a success.
Dealing dealt(const Shard& shard, const std::vector<std::string>& names, const std::vector<std::int64_t>& lengths_ms,
              const std::string& kind);

// Seconds of a trial, by LOCK/SCENARIO, as an earlier run has them.
using RecordedSeconds = std::map<std::string, double>;
RecordedSeconds recorded_seconds(const RunVerdict& run);

Dealing deal_cells(const SuiteOptions& options, const Shard& shard, const RecordedSeconds& recorded);

}  // namespace holdfast
