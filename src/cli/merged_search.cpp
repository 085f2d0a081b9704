// `holdfast merge` for shards of `explore`: combines their results in one table, page and exit code.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/explore_output.hpp"
#include "cli/explore_results.hpp"
#include "cli/merge.hpp"
#include "cli/output.hpp"
#include "cli/sealed_shard.hpp"
#include "cli/terminal.hpp"
#include "reports/rerun.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

Cell not_searched(const std::string& lock, const std::string& why) {
  Cell out;
  out.lock = lock;
  out.scenario = kExplored;
  out.outcome = Outcome::not_run;
  out.planned = 1;
  out.why = why;
  return out;
}

struct MergedSearch {
  std::vector<ExploreResult> results;
  RunVerdict verdict;
};

// The locks in the order of the whole.
MergedSearch merged(const std::vector<SealedShard>& shards) {
  MergedSearch out;
  std::vector<std::string> missing;
  for (const auto& part : shards.front().dealing.parts) {
    const SealedShard* shard = sealed_with(shards, part);
    if (shard == nullptr) {
      missing.push_back(part.name);
      continue;
    }
    auto found =
        read_json_file(RunDirectory(shard->folder).file("explored.json"), from_json<std::vector<ExploreResult>>);
    const auto is_of_part = [&part](const ExploreResult& result) { return result.lock == part.name; };
    const auto result = std::find_if(found.begin(), found.end(), is_of_part);
    if (result == found.end()) throw BadInput(shard->folder + "/explored.json: has no entry for " + part.name);
    out.results.push_back(std::move(*result));
  }
  out.verdict = explored_verdict(out.results);
  std::string stopped;
  for (const int number : missing_shards(places_of(shards))) {
    const Shard shard{number, shards.front().dealing.shard.of};
    stopped += (stopped.empty() ? "" : "; ") + shard_words(shard) + " is missing";
  }
  out.verdict.stopped = stopped;
  for (const auto& lock : missing) {
    out.verdict.cells.push_back(not_searched(lock, stopped));
    out.verdict.locks.push_back(lock);
  }
  return out;
}

}  // namespace

int merge_searches(const MergeFlags& flags, const std::vector<std::string>& folders) {
  const auto shards = open_all_sealed(folders);
  add_named_adapters(flags);
  MergedSearch all = merged(shards);
  RunVerdict& verdict = all.verdict;
  const SealedShard& first = shards.front();
  const int found = code_of_results(all.results);
  verdict.exit_code = found != kExitAsExpected || verdict.stopped.empty() ? found : kExitUndecided;
  verdict.version = HOLDFAST_VERSION;
  const auto asked = from_json<SearchAsked>(first.asked);
  verdict.within = asked.within;
  verdict.command = stored_command(first.command, program_as_typed());
  verdict.seed = asked.seed;
  verdict.started_utc = first.started_utc;
  for (const auto& shard : shards) verdict.started_utc = std::min(verdict.started_utc, shard.started_utc);
  const std::string folder = new_run_folder(flags.out, false);
  RunDirectory(folder).write("explored.json", text_of_json(json_of(all.results)) + "\n");
  write_replays(folder, all.results);
  write_explored(verdict, folder);
  point_latest(folder);
  if (flags.json) {
    print_json(json_of(all.results));
  } else {
    print_explored_table(all.results);
  }
  for (const auto& cell : verdict.cells) {
    if (cell.outcome == Outcome::not_run) tell("holdfast: {} was not searched: {}\n", cell.lock, cell.why);
  }
  return verdict.exit_code;
}

}  // namespace holdfast
