// `holdfast merge` for shards of `compare`. Scenarios are dealt, so all variants of a scenario were measured on the
// same machine, in turn. A missing shard is refused: a comparison has no state for scenarios that were not compared.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/comparison.hpp"
#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/server_names.hpp"
#include "cli/command.hpp"
#include "cli/compare_flags.hpp"
#include "cli/merge.hpp"
#include "cli/output.hpp"
#include "cli/sealed_shard.hpp"
#include "cli/terminal.hpp"
#include "compare/baseline.hpp"
#include "reports/rerun.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

void check_all_there(const std::vector<SealedShard>& shards) {
  const auto missing = missing_shards(places_of(shards));
  if (missing.empty()) return;
  const Shard first{missing.front(), shards.front().dealing.shard.of};
  throw BadInput(shard_words(first) + " is missing; remedy: " +
                 stored_command(shards.front().command, program_as_typed()) + " --shard " + to_text(first));
}

struct ComparedShard {
  const SealedShard* shard;
  Comparison comparison;
};

std::vector<ComparedShard> comparisons_of(const std::vector<SealedShard>& shards) {
  std::vector<ComparedShard> out;
  ServersMet met;
  for (const auto& shard : shards) {
    const RunDirectory at(shard.folder);
    out.push_back({&shard, read_json_file(at.file("compare.json"), from_json<Comparison>)});
    met.met(shard.folder, out.back().comparison.server);
  }
  return out;
}

Comparison one_comparison(const std::vector<ComparedShard>& shards) {
  Comparison out = shards.front().comparison;
  out.scenarios.clear();
  out.cells.clear();
  out.changes.clear();
  out.seconds = 0;
  out.stalls = 0;
  for (const auto& part : shards.front().shard->dealing.parts) {
    out.scenarios.push_back(part.name);
    const auto& from = *std::find_if(shards.begin(), shards.end(), [&part](const ComparedShard& one) {
      return one.shard->dealing.shard.number == part.shard;
    });
    const std::size_t before = out.cells.size();
    for (const auto& cell : from.comparison.cells) {
      if (cell.scenario == part.name) out.cells.push_back(cell);
    }
    if (out.cells.size() - before != out.variants.size()) {
      throw BadInput(from.shard->folder + "/compare.json: does not have all variants under " + part.name);
    }
  }
  std::set<std::string> servers;
  for (const auto& one : shards) {
    servers.merge(server_names(one.comparison.server));
    out.seconds += one.comparison.seconds;
    out.stalls += one.comparison.stalls;
    out.interrupted = out.interrupted || one.comparison.interrupted;
    out.started_utc = std::min(out.started_utc, one.comparison.started_utc);
  }
  out.server = server_text(servers);
  return out;
}

void copy_compared(const std::vector<ComparedShard>& shards, const std::string& folder) {
  const RunDirectory whole(folder);
  for (const auto& one : shards) {
    const RunDirectory from(one.shard->folder);
    for (const auto& cell : one.comparison.cells) {
      for (const auto& trial : cell.trials) {
        if (from.has_folder(trial.folder)) whole.copy_folder(from, trial.folder);
      }
    }
  }
}

}  // namespace

int merge_comparisons(const MergeFlags& flags, const std::vector<std::string>& folders) {
  const auto shards = open_all_sealed(folders);
  check_all_there(shards);
  const auto compared = comparisons_of(shards);
  Comparison all = one_comparison(compared);
  Baseline before;
  if (!flags.against.baseline.empty()) before = read_json_file(flags.against.baseline, read_baseline);
  all.baseline = flags.against.baseline;
  if (!flags.against.baseline.empty()) all.changes = changes_since(before, all);
  all.exit_code = exit_code_of(all);
  all.command = stored_command(shards.front().command, program_as_typed());
  const std::string folder = new_run_folder(flags.out, false);
  copy_compared(compared, folder);
  write_comparison(all, folder);
  point_latest(folder);
  print_comparison(all, flags.json, folder);
  return all.exit_code;
}

}  // namespace holdfast
