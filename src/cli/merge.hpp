// `holdfast merge`: the folders of all shards become one folder, as if everything had been run on one machine.
//
//   holdfast merge shard-1/runs shard-2/runs shard-3/runs --out runs
//
// Nothing is run, and nothing that a folder names is started or connected to. Each shard is believed no more than a
// folder that is resumed: sums of all files are compared, histories are judged again, and plans are made anew from the
// scenarios and the seed. Shards of different runs are refused, with the difference; of a shard that is missing the
// cells are `not_run`.
//
// The new folder has no run.json before all is copied, and no verdict.json before all is judged: what a kill leaves is
// nobody's result.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/run_flags.hpp"
#include "suite/shard.hpp"

namespace holdfast {

struct MergeFlags : ServerFlags {    // of these only the locks that a command line adds
  std::vector<std::string> folders;  // of shards, or folders with such in them
  std::string out = "runs";
  std::string colour = "auto";
  BaselineFlags against;  // an earlier run, or comparison
  bool json = false;
};

// What a shard's folder is of: what decides which of them belong together.
struct ShardPlace {
  std::string folder;
  Shard shard;
};

// Throws BadInput where two are the same shard.
void check_doubles(const std::vector<ShardPlace>& places);

// Numbers that none of them has.
std::vector<int> missing_shards(const std::vector<ShardPlace>& places);

// The servers that the trials of shards met: of one kind, all must have been of one version, however many of them ran
// and whatever stood before them. Throws BadInput.
class ServersMet {
 public:
  void met(const std::string& folder, const std::string& servers);  // in one text (artifact/server_names.hpp)

 private:
  void met_one(const std::string& folder, const std::string& server);

  struct Met {
    std::string version;  // with the title
    std::string folder;
  };
  std::map<std::string, Met> by_title_;
};

// Exit codes of the merged whole.
int merge_runs(const MergeFlags& flags, const std::vector<std::string>& folders);
int merge_searches(const MergeFlags& flags, const std::vector<std::string>& folders);
int merge_comparisons(const MergeFlags& flags, const std::vector<std::string>& folders);

}  // namespace holdfast
