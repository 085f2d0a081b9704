#include "cli/stored.hpp"

#include <filesystem>

#include "artifact/beneath.hpp"
#include "artifact/visible.hpp"
#include "cli/output.hpp"
#include "reports/rerun.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostShown = 200;

[[noreturn]] void refuse_folder(const std::string& file, const std::string& said, const std::string& wanted) {
  throw BadInput(file + ": names the folder '" + fitted(said, kMostShown) + "', where only " + wanted + " can be");
}

void check_folders(const std::string& file, const Cell& cell, const TrialResult& trial) {
  const std::string wanted = trial_folder(cell.lock, cell.scenario, trial.number);
  if (trial.folder != wanted) refuse_folder(file, trial.folder, wanted);
  if (trial.control && trial.control->folder != wanted + "/control") {
    refuse_folder(file, trial.control->folder, wanted + "/control");
  }
}

bool is_replay(const Beneath& run) {
  try {
    return read_json_text(run.read("run.json"), run.path_of("run.json"),
                          [](const nlohmann::json& json) { return !Shape(json).text("replay_of").empty(); });
  } catch (const BadInput&) {
    return false;  // whoever resumes it is told what is wrong
  }
}

}  // namespace

std::string verdict_file(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code none;
  const std::string remedy = "; remedy: a run's folder, or first: holdfast run";
  if (!fs::is_directory(folder, none)) throw BadInput(folder + ": no such folder" + remedy);
  const Beneath run(folder);
  if (run.has("verdict.json")) return run.file("verdict.json");
  const std::string real = fs::canonical(folder, none).string();
  if (run.has("compare.json")) {
    throw BadInput(folder + " (" + real + "): is of a comparison, whose page is compare.html in it" + remedy);
  }
  if (run.has("envelope.json")) {
    throw BadInput(folder + " (" + real + "): is of an envelope, whose answer is envelope.json in it" + remedy);
  }
  if (run.has("run.json")) {
    const bool replay = is_replay(run);
    if (replay) throw BadInput(folder + " (" + real + "): the replay did not come to its end; remedy: replay again");
    throw BadInput(folder + " (" + real + "): the run did not come to its end; remedy: holdfast run --resume " +
                   folder);
  }
  throw BadInput(folder + " (" + real + "): has no verdict.json, so it is of no run" + remedy);
}

RunVerdict stored_run(const std::string& folder) {
  const std::string file = verdict_file(folder);
  RunVerdict run = read_json_file(file, run_verdict_from_json);
  run.command = stored_command(run.command, program_as_typed());
  for (const auto& cell : run.cells) {
    for (const auto& trial : cell.trials) check_folders(file, cell, trial);
  }
  return run;
}

}  // namespace holdfast
