// A shard of a run, as `merge` reads it from its folder.
#pragma once

#include <string>
#include <vector>

#include "cli/merge.hpp"
#include "cli/source_places.hpp"
#include "cli/stored.hpp"

namespace holdfast {

struct GivenShard {
  std::string folder;
  RunManifest manifest;
  std::string stopped;  // why it has not run all of its cells; empty: it finished
  double seconds = 0;
  std::string machine;  // in words
  SourcePlaces sources;

  const Shard& shard() const { return manifest.dealing->shard; }
};

GivenShard read_shard(const std::string& folder);  // throws BadInput if it is not a shard's folder

// Throws BadInput with the difference if the shards are not of one run.
void check_same(const std::vector<GivenShard>& shards);

std::vector<ShardPlace> run_places(const std::vector<GivenShard>& shards);
std::vector<std::string> folders_of(const std::vector<GivenShard>& shards);

// Reason why cells, if any, were not run.
std::string why_not_run(const std::vector<GivenShard>& shards);

}  // namespace holdfast
