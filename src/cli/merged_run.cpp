// `holdfast merge` for shards of a run: gathers their trials in one folder and completes it like a resumed run with
// nothing left to run. So its page, JUnit file and exit code come from the same code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/generated_run.hpp"
#include "cli/given_shard.hpp"
#include "cli/merge.hpp"
#include "cli/output.hpp"
#include "cli/run_and_report.hpp"
#include "cli/source_places.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "lock/added_locks.hpp"
#include "lock/lock.hpp"
#include "reports/durations.hpp"
#include "servers/target.hpp"
#include "suite/documented.hpp"
#include "suite/stored_result.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

// The shards of a merged run, and the flags for its output.
struct Gathering {
  std::vector<GivenShard> shards;
  SuiteOptions options;
  SuiteOptions suite;  // `options` with all scenarios of a generated suite
  std::vector<Cell> cells;
  std::map<std::string, int> shard_of;  // by LOCK/SCENARIO
};

std::vector<Scenario> scenarios_of(const RunManifest& manifest, const std::string& file) {
  std::vector<Scenario> out;
  for (const auto& [suite, name, source] : manifest.scenarios) {
    out.push_back(read_scenario(parse_json_text(text_of_json(source, 1), file + ": scenario " + name), name));
    out.back().name = name;
    out.back().suite = suite;
  }
  return out;
}

void check_locks_known(const GivenShard& shard) {
  for (const auto& [lock, says] : shard.manifest.adapters) {
    if (find_entry(locks(), lock) != nullptr) continue;
    throw BadInput(shard.folder + ": has cells of the lock " + lock +
                   ", which is not a built-in lock; remedy: add --adapter with its lock.json, or --lock-file");
  }
}

std::string cell_name(const Cell& cell) {
  return cell.lock + "/" + cell.scenario;
}

Gathering gather(std::vector<GivenShard> shards) {
  Gathering out;
  const GivenShard& first = shards.front();
  check_locks_known(first);
  SuiteOptions& options = out.options;
  RunFlags flags = first.manifest.flags;
  const bool generated = generates(flags);
  const auto add_first = [&] {
    check_generated(flags);
    add_scenarios(flags, ".", options);
  };
  if (generated) read_as_asked(first.folder, add_first);
  if (!generated) options.scenarios = scenarios_of(first.manifest, first.folder + "/run.json");
  options.only = flags.only.patterns;
  options.seed = flags.seed;
  if (!flags.seeds.empty()) options.seeds = parse_seeds(flags.seeds);
  options.rule = take_stop_rule(flags);
  options.repeat = flags.repeat;
  options.controls = flags.controls;
  options.left_out = first.manifest.left_out;
  check_unchanged(first.folder, first.manifest, options);
  out.suite = generated ? suite_of_shards(flags, folders_of(shards), options) : options;
  out.cells = plan_cells(out.suite);
  for (const auto& part : first.manifest.dealing->parts) out.shard_of[part.name] = part.shard;
  const bool all = std::all_of(out.cells.begin(), out.cells.end(),
                               [&out](const Cell& cell) { return out.shard_of.contains(cell_name(cell)); });
  if (!all || out.cells.size() != out.shard_of.size() || out.cells.size() != first.manifest.dealing->parts.size()) {
    throw BadInput(first.folder + "/run.json: the list of cells does not match the scenarios");
  }
  out.shards = std::move(shards);
  return out;
}

// The most that a cell can have.
int trials_of(const SuiteOptions& options) {
  return kTrialsAfterAMiss + options.repeat * static_cast<int>(std::max<std::size_t>(1, options.seeds.size()));
}

// Checks controls of suspected causes; a paired control is among the files of its trial.
void check_controls(const RunDirectory& run, const std::string& trial) {
  for (const auto& inner : run.folders_in(trial)) {
    const std::string folder = trial + "/" + inner;
    const auto control = stored_result(run.path(), folder);
    if (control) check_evidence(run, folder, control->sums, MissingFiles::refused);
  }
}

// Checks a trial in its shard; returns false if it has no result there.
bool check_trial(const GivenShard& shard, const SuiteOptions& options, const Cell& cell, int number, ServersMet& met) {
  const std::string trial = trial_folder(cell.lock, cell.scenario, number);
  auto stored = stored_result(shard.folder, trial);
  if (!stored) return false;
  const Scenario& scenario = scenario_of(options, cell);
  const RunDirectory run(shard.folder);
  check_controls(run, trial);
  check_plan(run, trial, TrialJob{options, scenario, cell.lock, number}.plan_of_trial());
  check_result(shard.folder, documented_expectations(scenario, cell.lock), *stored);
  met.met(shard.folder, stored->server);
  return true;
}

const GivenShard* shard_of_cell(const Gathering& all, const Cell& cell) {
  const int number = all.shard_of.at(cell_name(cell));
  const auto found = std::find_if(all.shards.begin(), all.shards.end(),
                                  [number](const GivenShard& shard) { return shard.shard().number == number; });
  return found == all.shards.end() ? nullptr : &*found;
}

// A finished trial's source and destination.
struct FoundTrial {
  const GivenShard* shard;
  std::string folder;
};

std::vector<FoundTrial> find_trials(const Gathering& all) {
  std::vector<FoundTrial> out;
  ServersMet met;
  for (const auto& cell : all.cells) {
    const GivenShard* shard = shard_of_cell(all, cell);
    for (int number = 1; shard != nullptr && number <= trials_of(all.options); ++number) {
      if (!check_trial(*shard, all.suite, cell, number, met)) continue;
      out.push_back({shard, trial_folder(cell.lock, cell.scenario, number)});
    }
  }
  // All shards have the first trials of a generated suite: they give the suite even if their own shard is missing.
  for (const auto& trial : first_trials(all.shards.front().manifest.flags)) {
    const bool found = std::any_of(out.begin(), out.end(), [&](const FoundTrial& one) { return one.folder == trial; });
    if (!found) out.push_back({&all.shards.front(), trial});
  }
  return out;
}

// Builds the manifest that the whole run would have had.
RunManifest whole_manifest(const Gathering& all) {
  RunManifest out = all.shards.front().manifest;
  out.dealing.reset();
  out.left_out.clear();
  out.flags.shard.clear();
  out.flags.durations.clear();
  out.flags.first_trial.clear();
  for (const auto& shard : all.shards) out.started_utc = std::min(out.started_utc, shard.manifest.started_utc);
  out.command = rerun_command(out.flags, all.options.seed);
  return out;
}

nlohmann::json environment_of(const Gathering& all, const RunVerdict& verdict) {
  nlohmann::json out{{"holdfast", verdict.version}, {"server", verdict.server}, {"stalls", verdict.stalls}};
  for (const auto& shard : all.shards) {
    out[shard_words(shard.shard())] = shard.machine + "; " + wall_text(shard.seconds);
    store_sources(shard.sources, out);
  }
  return out;
}

void finish(const MergeFlags& flags, const Gathering& all, const RunManifest& manifest, RunVerdict& verdict) {
  if (!manifest.flags.target.empty() && !verdict.server.empty()) {
    verdict.server += " at " + parse_target(manifest.flags.target).place();
  }
  const std::string& folder = all.options.folder;
  take_grades(manifest.flags, verdict);
  const RunAssessment found = write_results(verdict, folder, environment_of(all, verdict));
  point_latest(folder);
  print_unavailable(verdict);
  print_result(found, folder, flags.json, wants_colour(flags.colour));
  if (verdict.stopped.empty()) return;
  ShellCommand resume(program_as_typed());
  resume.literal("run").flag("--resume", from_here(folder)).append(server_words(flags));
  tell("holdfast: {}; merge again when it is available, or run the missing cells here: {}\n", verdict.stopped,
       resume.text());
}

int report_merged(const MergeFlags& flags, Gathering& all) {
  const RunManifest manifest = whole_manifest(all);
  write_manifest(manifest, all.options.folder);
  RunFlags as_run = manifest.flags;
  static_cast<ServerFlags&>(as_run) = {};  // programs in the manifests must not be started
  as_run.quiet = true;
  as_run.against = flags.against;
  double seconds = 0;
  for (const auto& shard : all.shards) seconds += shard.seconds;
  all.options.resume = true;
  all.options.only_gathered = why_not_run(all.shards);
  const auto ending = [&](RunVerdict& verdict, const SuiteOptions&) {
    verdict.seconds = seconds;
    finish(flags, all, manifest, verdict);
  };
  return run_and_report(as_run, all.options, manifest, 0, ending).exit_code;
}

}  // namespace

int merge_runs(const MergeFlags& flags, const std::vector<std::string>& folders) {
  add_named_adapters(flags);
  std::vector<GivenShard> shards;
  std::vector<std::unique_ptr<OrderLock>> at_rest;  // skips a shard that is still running
  for (const auto& folder : folders) {
    shards.push_back(read_shard(folder));
    at_rest.push_back(std::make_unique<OrderLock>(folder));
  }
  check_doubles(run_places(shards));
  check_same(shards);
  Gathering all = gather(std::move(shards));
  check_baseline_flags(flags.against, all.cells);
  const auto trials = find_trials(all);
  expect_short_enough(flags.out, longest_trial_folder(all.suite));
  all.options.folder = new_run_folder(flags.out, false);
  try {
    const RunDirectory whole(all.options.folder);
    for (const auto& trial : trials) whole.copy_folder(RunDirectory(trial.shard->folder), trial.folder);
    return report_merged(flags, all);
  } catch (...) {
    std::error_code none;
    std::filesystem::remove_all(all.options.folder, none);
    throw;
  }
}

}  // namespace holdfast
