// `holdfast replay`: runs a schedule that explore found once more, word by word.
#include <atomic>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/explore_output.hpp"
#include "explore/explore_lab.hpp"
#include "explore/replay_file.hpp"
#include "suite/suite.hpp"

namespace holdfast {
namespace {

struct ReplayFlags {
  std::string file;
  std::string out = "runs";
  int repeat = 1;
  bool json = false;
};

int run(const ReplayFlags& flags) {
  const ReplayFile replay = load_replay(flags.file);
  nlohmann::json part{
      {"settings", to_json(replay.settings)}, {"words", to_text(replay.words)}, {"repeat", flags.repeat}};
  const std::string folder = new_run_folder(flags.out);
  const std::atomic<bool> never{false};
  const auto outcome = explore_in_lab(folder, {{"parts", {part}}}, never, [](const nlohmann::json&) {});
  if (outcome.exit_code == kExitUsage) throw BadInput(flags.file + ": " + outcome.error);
  if (outcome.exit_code == kExitUnavailable) throw Unavailable(outcome.error);
  if (outcome.exit_code != 0) throw HarnessError(outcome.error);
  const auto& result = outcome.results.front();
  if (flags.json) {
    std::printf("%s\n", result.dump(1).c_str());
  } else {
    print_replayed(result);
  }
  const auto& seen = result.at("counterexample");
  const bool violated = !seen.at("invariant").get<std::string>().empty() && seen.at("grave").get<bool>();
  return violated ? kExitNotAsExpected : kExitAsExpected;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("replay", "Run a schedule that explore found, word by word");
  auto flags = std::make_shared<ReplayFlags>();
  command->add_option("FILE", flags->file, "A replay file (docs/explore.md)")->required();
  command->add_option("--repeat", flags->repeat, "Run it so often, and fail if one differs")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--out", flags->out, "Folder that gets a folder for this run")->capture_default_str();
  command->add_flag("--json", flags->json, "As JSON");
  command->callback([flags, &exit_code] { exit_code = run(*flags); });
}

}  // namespace holdfast
