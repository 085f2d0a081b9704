// `holdfast replay`: what went wrong once more. Of a replay file: the schedule that explore found, word by word. Of a
// run's folder and a cell: the stored plan of one of its trials, for real (replay_cell.hpp).
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/explore_output.hpp"
#include "cli/replay_cell.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "explore/explore_lab.hpp"
#include "explore/replay_file.hpp"
#include "suite/suite.hpp"

namespace holdfast {
namespace {

struct ReplayFlags : ServerFlags {
  std::string file;  // or a run's folder
  std::string cell;
  int trial = 0;
  std::string out = "runs";
  int repeat = 1;
  int jobs = 0;
  bool json = false;
};

int replay_schedule(const ReplayFlags& flags) {
  const ReplayFile replay = load_replay(flags.file);
  nlohmann::json part{
      {"settings", to_json(replay.settings)}, {"words", to_text(replay.words)}, {"repeat", flags.repeat}};
  const std::string folder = new_run_folder(flags.out, false);  // it has no reports: latest stays
  const std::atomic<bool> never{false};
  const auto outcome = explore_in_lab(folder, {{"parts", {part}}}, never, [](const nlohmann::json&) {});
  if (outcome.exit_code == kExitUsage) throw BadInput(flags.file + ": " + outcome.error);
  if (outcome.exit_code == kExitUnavailable) throw Unavailable(outcome.error);
  if (outcome.exit_code != 0) throw HarnessError(outcome.error);
  const auto& result = outcome.results.front();
  if (flags.json) {
    print_json(result);
  } else {
    print_replayed(result);
  }
  const auto& seen = result.at("counterexample");
  const bool violated = !seen.at("invariant").get<std::string>().empty() && seen.at("counts").get<bool>();
  return violated ? kExitNotAsExpected : kExitAsExpected;
}

int replay(const ReplayFlags& flags) {
  const bool of_run = std::filesystem::is_directory(flags.file);
  if (!flags.cell.empty() && !std::filesystem::exists(flags.file)) verdict_file(flags.file);  // tells what to name
  if (of_run && flags.cell.empty()) throw BadInput(flags.file + ": which cell? remedy: LOCK/SCENARIO after it");
  if (of_run)
    return replay_cell({flags.file, flags.cell, flags.trial, flags.repeat, flags.jobs, flags.out, flags.json, flags});
  if (!flags.cell.empty()) throw BadInput(flags.file + ": is no folder of a run, so '" + flags.cell + "' says nothing");
  if (!flags.servers.empty() || !flags.target.empty()) {
    throw BadInput(flags.file + ": a schedule runs in a lab of its own: --server and --target are of a run's cells");
  }
  return replay_schedule(flags);
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("replay", "Run again a cell of an earlier run, or a schedule that explore found");
  auto flags = std::make_shared<ReplayFlags>();
  command->add_option("RUN", flags->file, "A run's folder, or a replay file (docs/explore.md)")->required();
  command->add_option("CELL", flags->cell, "Of a run: LOCK/SCENARIO");
  command->add_option("--trial", flags->trial, "Of a run: which trial (default: the first that broke something)")
      ->check(CLI::Range(1, 100'000));
  command->add_option("--repeat", flags->repeat, "How often; of a replay file it fails if one differs")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--jobs", flags->jobs, "Of a run: trials side by side (default: as run)")
      ->check(CLI::Range(1, 1'000));
  add_server_flags(command, *flags);
  command->add_option("--out", flags->out, "Folder that gets a folder for this run")->capture_default_str();
  command->add_flag("--json", flags->json, "As JSON");
  command->callback([flags, &exit_code] { exit_code = replay(*flags); });
}

}  // namespace holdfast
