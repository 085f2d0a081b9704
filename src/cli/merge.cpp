#include "cli/merge.hpp"
#include "cli/help_text.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "artifact/error.hpp"
#include "artifact/server_names.hpp"
#include "cli/command.hpp"
#include "cli/sealed_shard.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestSearch = 6;  // CI servers put artifacts in separate folders

bool is_shard_folder(const fs::path& folder) {
  std::error_code none;
  return fs::is_regular_file(folder / "run.json", none) || fs::is_regular_file(folder / kShardFile, none);
}

// Follows no links: runs/latest is the same folder again, also if an archive made it a copy.
void find_shards(const fs::path& folder, int depth, std::vector<std::string>& out) {
  if (is_shard_folder(folder)) {
    out.push_back(folder.string());
    return;
  }
  if (depth == 0) return;
  std::vector<fs::path> inner;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const bool again = entry.is_symlink(none) || entry.path().filename() == "latest";
    if (entry.is_directory(none) && !again) inner.push_back(entry.path());
  }
  std::sort(inner.begin(), inner.end());
  for (const auto& one : inner) find_shards(one, depth - 1, out);
}

// Adds the remedy for a damaged file of a shard.
std::string with_remedy(const std::string& why, const std::vector<std::string>& folders) {
  const bool in_shard = std::any_of(folders.begin(), folders.end(),
                                    [&why](const std::string& folder) { return why.rfind(folder + "/", 0) == 0; });
  if (!in_shard || why.find("; remedy: ") != std::string::npos) return why;
  return why + "; remedy: fetch the folder again, or run the shard again";
}

int merge_folders(const MergeFlags& flags, const std::vector<std::string>& folders) {
  const std::string kind = kind_of_shard(folders.front());
  for (const auto& folder : folders) {
    if (const std::string other = kind_of_shard(folder); other != kind) {
      throw BadInput(folder + ": is a shard of " + other + ", and " + folders.front() + " one of " + kind +
                     "; remedy: merge the shards of each command separately");
    }
  }
  if (kind == kSearchShard && !flags.against.baseline.empty()) {
    throw BadInput("--baseline: does not apply to a search; remedy: name known finds with --except (docs/explore.md)");
  }
  if (kind != kRunShard && !flags.against.write_baseline.empty()) {
    throw BadInput(
        "--write-baseline: applies only to runs; remedy: use a comparison's compare.json as the baseline "
        "of the next one");
  }
  if (kind == kSearchShard) return merge_searches(flags, folders);
  return kind == kComparisonShard ? merge_comparisons(flags, folders) : merge_runs(flags, folders);
}

// Finds the folders of shards among or below these, each once. Throws BadInput if one has none.
std::vector<std::string> shard_folders(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  std::set<std::string> known;
  for (const auto& folder : given) {
    std::error_code none;
    if (!fs::is_directory(folder, none))
      throw BadInput(folder + ": no such folder; remedy: give the folders of holdfast run --shard I/N");
    std::vector<std::string> found;
    find_shards(fs::canonical(folder), kDeepestSearch, found);
    if (found.empty()) {
      throw BadInput(folder +
                     ": neither a shard's folder nor a folder of shards; remedy: make shards with holdfast run "
                     "--shard I/N");
    }
    for (const auto& one : found) {
      if (!known.insert(one).second) throw BadInput(folder + ": the shard in " + one + " is given twice");
      out.push_back(one);
    }
  }
  return out;
}

int merge(const MergeFlags& flags) {
  const auto folders = shard_folders(flags.folders);
  try {
    return merge_folders(flags, folders);
  } catch (const BadInput& refused) {
    throw BadInput(with_remedy(refused.what(), folders));
  }
}

}  // namespace

void check_doubles(const std::vector<ShardPlace>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (places[i].shard != places[j].shard) continue;
      throw BadInput(shard_words(places[i].shard) + " exists twice: " + places[j].folder + " and " + places[i].folder +
                     "; remedy: leave one of them out");
    }
  }
}

std::vector<int> missing_shards(const std::vector<ShardPlace>& places) {
  std::vector<int> out;
  for (int number = 1; number <= places.front().shard.of; ++number) {
    const bool there = std::any_of(places.begin(), places.end(),
                                   [number](const ShardPlace& place) { return place.shard.number == number; });
    if (!there) out.push_back(number);
  }
  return out;
}

// "etcd 3.4.23 (3 servers)": a suite may use servers with several titles, each in several topologies.
void ServersMet::met(const std::string& folder, const std::string& servers) {
  for (const auto& server : server_names(servers)) met_one(folder, server);
}

void ServersMet::met_one(const std::string& folder, const std::string& server) {
  const auto digit = server.find_first_of("0123456789");
  const std::string version = digit == std::string::npos ? server : server.substr(0, server.find(' ', digit));
  const auto [known, fresh] = by_title_.try_emplace(server.substr(0, digit), Met{version, folder});
  if (fresh || known->second.version == version) return;
  throw BadInput(folder + ": its trials ran on " + version + ", those of " + known->second.folder + " on " +
                 known->second.version + "; remedy: run one of the two shards again, with the same version");
}

void add_merge(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("merge", "Merge the shards (--shard) of a run, a search or a comparison");
  give_examples(command, {"holdfast merge shard_1 shard_2 shard_3"});
  auto flags = std::make_shared<MergeFlags>();
  command->add_option("RUN", flags->folders, "Folders of shards, or folders that contain them")->required();
  add_adapter_flags(command, *flags);
  command->add_option("--out", flags->out, "Folder in which to create the merged run's folder")->capture_default_str();
  command->add_option("--color", flags->colour, "Colours on the terminal")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  add_baseline_flags(command, flags->against);
  command->add_flag("--json", flags->json, "Print the verdict as JSON");
  command->callback([flags, &exit_code] { exit_code = merge(*flags); });
}

}  // namespace holdfast
