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

struct GivenShard {
  std::string folder;
  RunManifest manifest;
  std::string stopped;  // why it has not run all of its cells; empty: it finished
  double seconds = 0;
  std::string machine;  // in words
  SourcePlaces sources;

  const Shard& shard() const { return manifest.dealing->shard; }
};

// The shards of a merged run, and the flags for its output.
struct Gathering {
  std::vector<GivenShard> shards;
  SuiteOptions options;
  std::vector<Cell> cells;
  std::map<std::string, int> shard_of;  // by LOCK/SCENARIO
};

std::string number_text(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? std::to_string(found->get<std::int64_t>()) : "?";
}

std::string word_text(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "?";
}

// Null for an interrupted shard, which has none.
nlohmann::json environment_in(const std::string& folder) {
  const RunDirectory run(folder);
  if (!run.has("environment.json")) return nullptr;
  return parse_json(run.read("environment.json"), run.path_of("environment.json"));
}

std::string machine_of(const nlohmann::json& said) {
  if (said.is_null()) return "unknown: the shard did not finish";
  if (!said.is_object()) return "not known";
  return fmt::format("{}, {}, {} processors, {} MiB", word_text(said, "kernel"), word_text(said, "machine"),
                     number_text(said, "processors"), number_text(said, "memory_mib"));
}

GivenShard read_shard(const std::string& folder) {
  GivenShard out{folder, stored_manifest(folder), "", 0, "", {}};
  if (!out.manifest.dealing || !out.manifest.replay_of.empty()) {
    throw BadInput(folder + ": is not a shard's folder; remedy: give the folders of holdfast run --shard I/N");
  }
  const nlohmann::json environment = environment_in(folder);
  out.machine = machine_of(environment);
  out.sources = stored_sources(environment);
  if (!RunDirectory(folder).has("verdict.json")) {
    out.stopped = "did not finish";
    return out;
  }
  const RunVerdict verdict = stored_run(folder);
  out.seconds = verdict.seconds;
  out.stopped = verdict.stopped;
  return out;
}

std::vector<std::string> names_of_servers(const std::vector<std::string>& servers) {
  std::vector<std::string> out;
  out.reserve(servers.size());
  // paths differ between machines
  for (const auto& server : servers) out.push_back(server.substr(0, server.find('=')));
  std::sort(out.begin(), out.end());
  return out;
}

std::string shown_value(const std::string& value) {
  return value.empty() ? "none" : value;
}

std::string shown_value(const std::vector<std::string>& values) {
  return values.empty() ? "none" : fmt::format("{}", fmt::join(values, ", "));
}

// First difference between the settings of two shards, in words; empty: none.
std::string difference(const RunManifest& first, const RunManifest& other) {
  const auto differs = [](const char* what, const auto& a, const auto& b) {
    return a == b ? std::string()
                  : fmt::format("{} is {} in that shard, but {} in this one", what, shown_value(a), shown_value(b));
  };
  const RunFlags& one = first.flags;
  const RunFlags& two = other.flags;
  const std::string found[] = {
      differs("the number of shards", std::to_string(first.dealing->shard.of), std::to_string(other.dealing->shard.of)),
      differs("--seed", std::to_string(one.seed), std::to_string(two.seed)),
      differs("--seeds", one.seeds, two.seeds),
      differs("--repeat", std::to_string(one.repeat), std::to_string(two.repeat)),
      differs("--until-caught", std::string(one.until_caught ? "given" : ""),
              std::string(two.until_caught ? "given" : "")),
      differs("--confidence", one.confidence, two.confidence),
      differs("--rate", one.rate, two.rate),
      differs("--strict", std::string(one.strict ? "given" : ""), std::string(two.strict ? "given" : "")),
      differs("--controls", std::string(one.controls ? "given" : ""), std::string(two.controls ? "given" : "")),
      differs("--only", one.only.patterns, two.only.patterns),
      differs("--lock", one.locks, two.locks),
      differs("--server", names_of_servers(one.servers), names_of_servers(two.servers)),
      differs("--target", one.target, two.target)};
  for (const auto& text : found) {
    if (!text.empty()) return text;
  }
  if (const std::string which = changed_scenario(first.scenarios, other.scenarios); !which.empty()) {
    return "its scenarios differ: " + which;
  }
  if (first.adapters != other.adapters) return "a lock.json or a file of statements has different content there";
  if (first.dealing->parts != other.dealing->parts) {
    return "its cells were divided differently (other --durations)";
  }
  return "";
}

void check_same(const std::vector<GivenShard>& shards) {
  for (const auto& shard : shards) {
    const std::string differs = difference(shards.front().manifest, shard.manifest);
    if (differs.empty()) continue;
    throw BadInput(shard.folder + ": is a shard of another run than " + shards.front().folder + ": " + differs +
                   "; remedy: merge the shards of one run");
  }
}

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
  options.scenarios = scenarios_of(first.manifest, first.folder + "/run.json");
  options.only = flags.only.patterns;
  options.seed = flags.seed;
  if (!flags.seeds.empty()) options.seeds = parse_seeds(flags.seeds);
  options.rule = take_stop_rule(flags);
  options.repeat = flags.repeat;
  options.controls = flags.controls;
  options.left_out = first.manifest.left_out;
  check_unchanged(first.folder, first.manifest, options);
  out.cells = plan_cells(options);
  for (const auto& part : first.manifest.dealing->parts) out.shard_of[part.name] = part.shard;
  const bool all = std::all_of(out.cells.begin(), out.cells.end(),
                               [&out](const Cell& cell) { return out.shard_of.contains(cell_name(cell)); });
  if (!all || out.cells.size() != out.shard_of.size() || out.cells.size() != first.manifest.dealing->parts.size()) {
    throw BadInput(first.folder + "/run.json: the list of cells does not match the scenarios");
  }
  out.shards = std::move(shards);
  return out;
}

int trials_of(const SuiteOptions& options) {
  return options.repeat * static_cast<int>(std::max<std::size_t>(1, options.seeds.size()));
}

// Regenerates the plan, so that a trial with another seed is detected, whatever its folder claims.
void check_plan(const RunDirectory& run, const std::string& trial, const Plan& wanted) {
  const std::string name = trial + "/plan.json";
  if (!run.has(name) || parse_json(run.read(name), run.path_of(name)) == to_json(wanted)) return;
  throw BadInput(run.path_of(name) + ": is not the plan that results from the scenario and the seed");
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
      if (!check_trial(*shard, all.options, cell, number, met)) continue;
      out.push_back({shard, trial_folder(cell.lock, cell.scenario, number)});
    }
  }
  return out;
}

std::vector<ShardPlace> run_places(const std::vector<GivenShard>& shards) {
  std::vector<ShardPlace> out;
  out.reserve(shards.size());
  for (const auto& shard : shards) out.push_back({shard.folder, shard.shard()});
  return out;
}

// Reason why cells, if any, were not run.
std::string why_not_run(const std::vector<GivenShard>& shards) {
  std::vector<std::string> out;
  const int of = shards.front().shard().of;
  for (const int number : missing_shards(run_places(shards))) {
    out.push_back(shard_words(Shard{number, of}) + " is missing");
  }
  for (const auto& shard : shards) {
    if (!shard.stopped.empty()) out.push_back(shard_words(shard.shard()) + ": " + shard.stopped);
  }
  return out.empty() ? "no shard ran them" : fmt::format("{}", fmt::join(out, "; "));
}

// Builds the manifest that the whole run would have had.
RunManifest whole_manifest(const Gathering& all) {
  RunManifest out = all.shards.front().manifest;
  out.dealing.reset();
  out.left_out.clear();
  out.flags.shard.clear();
  out.flags.durations.clear();
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
  expect_short_enough(flags.out, longest_trial_folder(all.options));
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
