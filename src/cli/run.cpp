// `holdfast run`: runs suites and compares the results with their expectations.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/run_directory.hpp"
#include "cli/command.hpp"
#include "cli/generated_run.hpp"
#include "cli/help_text.hpp"
#include "cli/lock_words.hpp"
#include "cli/output.hpp"
#include "cli/run_and_report.hpp"
#include "cli/shard_flags.hpp"
#include "cli/stored.hpp"
#include "cli/time_flag.hpp"
#include "cli/written_formats.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

// An earlier run's folder, checked before it is resumed.
struct Resumed {
  RunManifest manifest;
  double seconds = 0;  // time used so far
};

bool any_failed(const RunVerdict& run) {
  return std::any_of(run.cells.begin(), run.cells.end(),
                     [](const Cell& cell) { return std::any_of(cell.trials.begin(), cell.trials.end(), failed); });
}

Resumed open_resumed(const std::string& folder, bool again) {
  Resumed out{stored_manifest(folder), 0};
  if (!out.manifest.replay_of.empty()) throw BadInput(folder + ": is a replay; remedy: run holdfast replay again");
  const RunDirectory run(folder);
  check_outputs(run);
  if (!run.has("verdict.json")) return out;
  const RunVerdict before = stored_run(folder);
  const bool complete = before.stopped.empty() && !before.interrupted;
  if (complete && !any_failed(before)) throw BadInput(folder + ": is already complete; remedy: start a new run");
  if (complete && !again) {
    throw BadInput(folder +
                   ": is complete except for trials in which the harness failed; remedy: --again repeats them");
  }
  out.seconds = before.seconds;
  return out;
}

// Combines the stored run's flags with the present flags that only change execution and output.
RunFlags flags_to_resume(const RunFlags& given, const RunManifest& manifest) {
  RunFlags out = manifest.flags;
  out.resume = given.resume;
  out.budget = given.budget;
  out.jobs = given.jobs;
  out.json = given.json;
  out.quiet = given.quiet;
  out.again = given.again;
  out.colour = given.colour;
  out.against = given.against;
  check_servers_of(given.resume, manifest.flags, manifest.directory, given);
  out.servers = given.servers;
  out.target = given.target;
  out.hosts = given.hosts;
  out.adapters = given.adapters;  // compared with the stored ones: check_unchanged
  out.adapter_commands = given.adapter_commands;
  out.lock_files = given.lock_files;
  return out;
}

// Only the first cells of a generated suite are known here.
void check_baseline_of(const RunFlags& flags, const SuiteOptions& options) {
  if (!flags.shard.empty() && !flags.against.write_baseline.empty()) {
    throw BadInput("--write-baseline: a shard has only part of the cells; remedy: holdfast merge --write-baseline");
  }
  generates(flags) ? check_baseline_is_read(flags.against) : check_baseline_flags(flags.against, plan_cells(options));
}

// Flags for repeating cells, beyond `repeat`.
std::vector<CLI::Option*> add_repeat_flags(CLI::App* command, RunFlags& flags, CLI::Option* repeat) {
  auto* caught = command->add_flag("--until-caught", flags.until_caught,
                                   "Repeat each cell until one of its trials is violated, at most --repeat times");
  auto* confidence = command->add_option(
      "--confidence", flags.confidence,
      "With --rate: repeat until a flaw with that rate would have been seen with this confidence (99%)");
  auto* rate = command->add_option("--rate", flags.rate,
                                   "With --confidence: share of the trials in which the flaw "
                                   "shows (5%)");
  confidence->excludes(repeat);
  return {caught, confidence, rate};
}

// Flags that select the cells to run here.
std::vector<CLI::Option*> add_part_flags(CLI::App* command, RunFlags& flags) {
  return {add_shard_flag(command, flags.shard),
          command->add_option("--durations", flags.durations,
                              "With --shard: earlier run whose durations are used to divide the cells"),
          command
              ->add_option("--first-trial", flags.first_trial,
                           "With --shard, for a generated suite: run whose first trial (lapses) gives the suite, the "
                           "same for all shards")
              ->type_name("RUN")};
}

// For the harness's own tests.
void add_sabotage_flag(CLI::App* command, RunFlags& flags) {
  command->add_option("--sabotage", flags.sabotage, "")
      ->check(CLI::IsMember({"act", "heal", "fail", "undo_early", "time"}))
      ->group("");
}

void add_printing_flags(CLI::App* command, RunFlags& flags) {
  command->add_option("--color", flags.colour, "Colours on the terminal")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command->add_flag("--json", flags.json, "Print the verdict as JSON");
  command->add_flag("-q,--quiet", flags.quiet, "Do not show progress");
}

std::vector<CLI::Option*> add_judging_flags(CLI::App* command, RunFlags& flags) {
  auto* controls =
      command->add_flag("--controls", flags.controls,
                        "After each caught flaw, run the same plan without the flaw, and without the suspected fault");
  auto* strict = add_strict_flag(command, flags.strict);
  auto* lease = add_default_lease_flag(command, flags.default_lease);
  return {controls, strict, lease};
}

}  // namespace

int run_suites(const RunFlags& given) {
  RunFlags flags = given;
  take_lock_files_of_suites(flags);
  take_lock_words(flags.locks, flags);
  check_shardable(flags);
  SuiteOptions options = suite_options(flags, ".");
  check_cells(flags, options);  // throws if something is wrong, before anything starts
  check_baseline_of(flags, options);
  RunManifest manifest = new_manifest(flags, options, utc_now());
  take_shard(flags, options, manifest);
  manifest.command = rerun_command(flags, options.seed);
  const auto begin = [&flags](SuiteOptions& begun) {
    if (flags.first_trial.empty()) return;
    copy_first_trials(flags, begun.folder);
    begun.resume = true;  // takes them over
  };
  return run_and_report(flags, options, manifest, 0, {}, begin).exit_code;
}

int resume_run(const RunFlags& given) {
  Resumed resumed = open_resumed(given.resume, given.again);
  RunFlags flags = flags_to_resume(given, resumed.manifest);
  SuiteOptions options = suite_options(flags, resumed.manifest.directory, given.resume);
  check_unchanged(given.resume, resumed.manifest, options);
  if (resumed.manifest.dealing) options.cells_of_shard = resumed.manifest.dealing->own();
  read_as_asked(given.resume, [&] { check_cells(flags, options); });
  check_baseline_of(flags, options);
  options.resume = true;
  options.again = flags.again;
  options.folder = std::filesystem::canonical(given.resume).string();  // a real path, since runs/latest may change
  resumed.manifest.command = rerun_command(flags, options.seed);
  return run_and_report(flags, options, resumed.manifest, resumed.seconds).exit_code;
}

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run scenarios and compare the results with the expected verdicts");
  give_examples(command, {"holdfast run quick", "holdfast run quick --only ip_lease/pause --seed 42",
                          "holdfast run generated --lock my_lock.sql --time-budget 10m"});
  auto flags = std::make_shared<RunFlags>();
  auto* suite = command->add_option(
      "suite", flags->paths,
      "Folders of scenarios, or scenario files; generated: the suite made for --lock; my_lock.sql: the suite made "
      "for that file");
  auto* lock =
      command->add_option("--lock", flags->locks,
                          "Lock to run instead of the suite's locks, or for which to generate the suite; may be "
                          "repeated");
  auto* only = add_only_flag(command, flags->only, "Run only these cells, LOCK/SCENARIO");
  auto* seed = command->add_option("--seed", flags->seed, "Seed of all random choices (default: random, printed)");
  seed->check(refuse_negative);
  auto* seeds = command->add_option("--seeds", flags->seeds,
                                    "Repeat every cell with each of these seeds: 1..5, or "
                                    "3,8,13");
  seeds->excludes(seed);
  auto* repeat = command->add_option("--repeat", flags->repeat, "Trials of each cell, with each seed");
  repeat->check(CLI::Range(1, 100000));
  const auto repeats = add_repeat_flags(command, *flags, repeat);
  add_baseline_flags(command, flags->against);
  command->add_option("--time-budget,--budget", flags->budget,
                      "Start no trial after this time (90s, 10m, 2h); the exit code is 3 if cells were not run");
  auto* resumed = command->add_option("--resume", flags->resume,
                                      "Continue the interrupted run in this folder: run only the missing trials");
  command->add_flag("--again", flags->again, "With --resume: also repeat the trials in which the harness failed")
      ->needs(resumed);
  command->add_flag("--first", flags->first, "Start no trial after the first unexpected violation");
  command
      ->add_option("--jobs", flags->jobs,
                   "Trials in parallel (default: 6 per processor, 2 with adapters; 1 with --target)")
      ->check(CLI::Range(1, 256));
  const auto parts = add_part_flags(command, *flags);
  auto* out = command->add_option("--out", flags->out, "Folder in which to create this run's folder");
  out->capture_default_str();
  add_sabotage_flag(command, *flags);
  add_server_flags(command, *flags);
  add_time_flag(command, flags->time);
  add_hosts_flag(command, *flags);
  const auto judged = add_judging_flags(command, *flags);
  add_printing_flags(command, *flags);
  const std::vector<CLI::Option*> own{suite, lock, only, seed, seeds, repeat, out};
  for (const auto& fixed : {own, repeats, judged, parts}) {
    for (auto* option : fixed) resumed->excludes(option);
  }
  command->callback([flags, seed, suite, &exit_code] {
    flags->seed_given = seed->count() > 0;
    if (!flags->resume.empty()) {
      exit_code = resume_run(*flags);
      return;
    }
    if (suite->count() == 0)
      throw BadInput("no suite given; remedy: holdfast run FOLDER (its scenarios), or --resume RUN");
    exit_code = run_suites(*flags);
  });
}

}  // namespace holdfast
