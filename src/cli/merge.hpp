// `holdfast merge`: combines the folders of all shards into one, as if everything had run on one machine.
//
//   holdfast merge shard-1/runs shard-2/runs shard-3/runs --out runs
//
// It runs nothing, and neither starts nor connects to anything named in a folder. Shards are not trusted more than a
// resumed folder: checksums of all files are compared, histories are judged again, and plans are regenerated from the
// scenarios and the seed. Shards of different runs are refused, with the difference; the cells of a missing shard are
// `not_run`.
//
// The new folder gets run.json after all is copied, and verdict.json after all is judged, so an interrupted merge
// leaves no valid result.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/run_flags.hpp"
#include "suite/shard.hpp"

namespace holdfast {

struct MergeFlags : ServerFlags {    // used only for locks that the command line adds
  std::vector<std::string> folders;  // folders of shards, or folders that contain them
  std::string out = "runs";
  std::string colour = "auto";
  BaselineFlags against;  // an earlier run, or comparison
  bool json = false;
};

// Identity of a shard's folder, by which shards of one whole are matched.
struct ShardPlace {
  std::string folder;
  Shard shard;
};

// Throws BadInput if two are the same shard.
void check_doubles(const std::vector<ShardPlace>& places);

// Numbers of missing shards.
std::vector<int> missing_shards(const std::vector<ShardPlace>& places);

// Servers used in the shards' trials. All servers of a kind must have the same version, whatever their number. Throws
// BadInput.
class ServersMet {
 public:
  void met(const std::string& folder, const std::string& servers);  // in one text (artifact/server_names.hpp)

 private:
  void met_one(const std::string& folder, const std::string& server);

  struct Met {
    std::string version;  // with its title
    std::string folder;
  };
  std::map<std::string, Met> by_title_;
};

// Exit code of the merged result.
int merge_runs(const MergeFlags& flags, const std::vector<std::string>& folders);
int merge_searches(const MergeFlags& flags, const std::vector<std::string>& folders);
int merge_comparisons(const MergeFlags& flags, const std::vector<std::string>& folders);

}  // namespace holdfast
