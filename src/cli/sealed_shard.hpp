// The folder of a shard of a search or of a comparison. Neither is resumed, so it is whole or it is nothing: what it
// was asked for is written first (shard.json), and the sums of what it found last (seal.json).
//
//   begin_sealed(folder, {.kind = kSearchShard, .dealing = ..., .asked = ...});
//   ...
//   seal(folder, {"explored.json"});
//   const SealedShard shard = open_sealed(folder);   // BadInput where a file is not what it was
//
// Shards of one whole have the same kind, program and `asked`, which is a JSON object, and another number.
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
  std::string folder = {};  // not kept

  static const JsonForm<SealedShard>& form();
};

// Which command's shard lies there; run.json is that of a run.
std::string kind_of_shard(const std::string& folder);

void begin_sealed(const std::string& folder, const SealedShard& shard);
void seal(const std::string& folder, std::vector<std::string> files);

SealedShard open_sealed(const std::string& folder);

// All of them, which belong together and are each there once. Throws BadInput with the difference.
std::vector<SealedShard> open_all_sealed(const std::vector<std::string>& folders);

std::vector<ShardPlace> places_of(const std::vector<SealedShard>& shards);

// In the order of the whole: what each part is in, or nothing where its shard is missing.
const SealedShard* sealed_with(const std::vector<SealedShard>& shards, const DealtPart& part);

}  // namespace holdfast
