#include "cli/shard_flags.hpp"

#include <cstdlib>
#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "cli/generated_run.hpp"
#include "cli/run_and_report.hpp"
#include "cli/terminal.hpp"

namespace holdfast {
namespace {

std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

RecordedSeconds durations_in(const std::string& path) {
  if (path.empty()) return {};
  const InputFile file = std::filesystem::is_directory(path) ? verdict_file(path) : InputFile(path);
  return recorded_seconds(read_json_file(file, from_json<RunVerdict>));
}

}  // namespace

CLI::Option* add_shard_flag(CLI::App* command, std::string& shard) {
  return command->add_option("--shard", shard,
                             "I/N: run only part I of N, for holdfast merge; auto: take I and N from the job array");
}

Shard asked_shard(const std::string& text) {
  return text == "auto" ? shard_of_job_array(environment_variable) : parse_shard(text);
}

void check_shardable(const RunFlags& flags) {
  if (flags.shard.empty()) {
    if (!flags.durations.empty()) throw BadInput("--durations: needs --shard");
    if (!flags.first_trial.empty()) throw BadInput("--first-trial: needs --shard");
    return;
  }
  asked_shard(flags.shard);  // throws for an invalid one
  if (!flags.seed_given && flags.seeds.empty()) {
    throw BadInput("--shard: each shard would draw its own seed; remedy: add --seed N, the same for all shards");
  }
  if (!generates(flags) && !flags.first_trial.empty()) {
    throw BadInput("--first-trial: applies only to generated suites; remedy: leave it out");
  }
  if (generates(flags) && flags.first_trial.empty()) {
    throw BadInput(
        "--shard: a generated suite is made from its first trial, which all shards must share; remedy: run it once "
        "(add --only '*/lapses' in place of --shard), and add --first-trial RUN to each shard");
  }
}

void take_shard(RunFlags& flags, SuiteOptions& options, RunManifest& manifest) {
  if (flags.shard.empty()) return;
  const Shard shard = asked_shard(flags.shard);
  flags.shard = manifest.flags.shard = to_text(shard);  // for `auto` in a job array: the number at the first run
  const SuiteOptions whole = generates(flags) ? suite_of_first_trial(flags, options) : options;
  manifest.dealing = deal_cells(whole, shard, durations_in(flags.durations));
  manifest.left_out = options.left_out;
  options.cells_of_shard = manifest.dealing->own();
  if (flags.quiet) return;
  tell("{}: {} of {} cells\n", shard_words(shard), manifest.dealing->count_of(shard.number),
       manifest.dealing->parts.size());
}

}  // namespace holdfast
