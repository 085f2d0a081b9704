// Folder of a shard of a search or comparison. These are not resumed, so the folder is either complete or invalid: its
// order is written first (shard.json), and the checksums of its results last (seal.json).
//
//   begin_sealed(folder, {.kind = kSearchShard, .dealing = ..., .asked = ...});
//   ...
//   seal(folder, {"explored.json"});
//   const SealedShard shard = open_sealed(folder);   // throws BadInput if a file has changed
//
// Shards of one whole have equal kind, program and `asked` (a JSON object), and different numbers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/merge.hpp"
#include "suite/shard.hpp"

namespace holdfast {

inline constexpr const char* kShardFile = "shard.json";
inline constexpr const char* kRunShard = "run";
inline constexpr const char* kSearchShard = "explore";
inline constexpr const char* kComparisonShard = "compare";

struct SealedShard {
  std::string version = HOLDFAST_VERSION;
  std::string kind;
  Dealing dealing;
  nlohmann::json asked;  // the same in all shards
  std::string command;   // of the whole
  std::string started_utc;
  std::string folder = {};  // not stored

  static const JsonForm<SealedShard>& form();
};

// Command whose shard is in the folder; for run it is stored in run.json.
std::string kind_of_shard(const std::string& folder);

void begin_sealed(const std::string& folder, const SealedShard& shard);
void seal(const std::string& folder, std::vector<std::string> files);

SealedShard open_sealed(const std::string& folder);

// Opens all shards, which must belong together without duplicates. Throws BadInput with the difference.
std::vector<SealedShard> open_all_sealed(const std::vector<std::string>& folders);

std::vector<ShardPlace> places_of(const std::vector<SealedShard>& shards);

// Finds the shard that has a part of the whole, or null if that shard is missing.
const SealedShard* sealed_with(const std::vector<SealedShard>& shards, const DealtPart& part);

}  // namespace holdfast
