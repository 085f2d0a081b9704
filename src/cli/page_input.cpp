#include "cli/page_input.hpp"

#include <filesystem>

#include "artifact/history.hpp"
#include "cli/environment.hpp"
#include "cli/stored.hpp"
#include "reports/packed_trial.hpp"

namespace holdfast {
namespace {

void read_trials(const std::string& folder, PageInput& input) {
  for (const auto& cell : input.run.cells) {
    for (const auto& trial : cell.trials) {
      const std::string file = folder + "/" + trial.folder + "/verdict.json";
      if (!std::filesystem::exists(file)) continue;
      input.trials[trial.folder] = read_stored(file, trial_verdict_from_json);
    }
  }
}

// The gravest come first, and reading ends when no page could take more.
void read_events(const std::string& folder, PageInput& input) {
  std::size_t packed = 0;
  for (const TrialResult* trial : pictured_trials(input.run)) {
    const auto verdict = input.trials.find(trial->folder);
    const std::string file = folder + "/" + trial->folder + "/history.jsonl";
    if (verdict == input.trials.end() || !std::filesystem::exists(file)) continue;
    if (packed > kLargestPage) {
      input.unpacked[trial->folder] = "the page would grow too large; they are in " + trial->folder + "/history.jsonl";
      continue;
    }
    try {
      HistoryReader history(file);
      packed += (input.packed[trial->folder] = packed_trial(history, verdict->second)).size();
    } catch (const BadInput& broken) {
      input.packed.erase(trial->folder);
      input.unpacked[trial->folder] = broken.what();
    }
  }
}

}  // namespace

PageInput page_input(const RunVerdict& verdict, const std::string& folder) {
  PageInput input;
  input.run = verdict;
  input.environment = environment(verdict);
  read_trials(folder, input);
  read_events(folder, input);
  return input;
}

}  // namespace holdfast
