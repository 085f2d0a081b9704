// A run in shards: each machine, or each job of an array, runs some of the cells, and `merge` makes one run of them.
//
//   const Shard shard = parse_shard("2/4");                            // or shard_of_job_array(variable)
//   const Dealing dealing = deal_cells(options, shard, recorded);       // the same on every machine
//   options.cells_of_shard = dealing.own();
//
// Cells are dealt, trials are not split: the controls of a cell serve all its repetitions. The longest cell goes first,
// each to the shard with the least to do; a cell is as long as an earlier run recorded, else as its scenario says.
// Nothing of a trial, neither its seed nor its plan, depends on the shard.
//
// A shard's folder keeps the whole dealing, not only its own part: without it nobody could tell later that a shard is
// missing.
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

// Which job of which array we are: Slurm's, GitLab's, or that of an indexed Kubernetes job. Throws BadInput where there
// is none, where there are several, and where the variables do not say how many jobs there are: a shard too few would
// be a part of the suite that nobody runs.
Shard shard_of_job_array(const Variable& variable);

// Which shard, from 1, gets each of the parts, whose lengths these are. Each gets one, if there are enough.
std::vector<int> deal(const std::vector<std::int64_t>& lengths_ms, int shards);

// A part is what is never split: LOCK/SCENARIO of a run, a lock of a search, SUITE/SCENARIO of a comparison.
struct DealtPart {
  std::string name;
  int shard = 1;

  bool operator==(const DealtPart&) const = default;
  static const JsonForm<DealtPart>& form();
};

struct Dealing {
  Shard shard;  // that this folder is of
  std::vector<DealtPart> parts;

  std::set<std::string> own() const;
  int count_of(int shard) const;
  static const JsonForm<Dealing>& form();
};

// Throws BadInput where there are fewer parts than shards: one of them would do nothing, and look fine.
Dealing dealt(const Shard& shard, const std::vector<std::string>& names, const std::vector<std::int64_t>& lengths_ms,
              const std::string& kind);

// Seconds of a trial, by LOCK/SCENARIO, as an earlier run has them.
using RecordedSeconds = std::map<std::string, double>;
RecordedSeconds recorded_seconds(const RunVerdict& run);

Dealing deal_cells(const SuiteOptions& options, const Shard& shard, const RecordedSeconds& recorded);

}  // namespace holdfast
