#include "cli/page_input.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/environment.hpp"
#include "cli/stored.hpp"
#include "history/history.hpp"
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

// What was written down when the run ended, which is right also where another machine renders the page again. A list
// within a list (the stalls of each trial) is left to the file.
void read_environment(const std::string& folder, PageInput& input) {
  const std::string file = folder + "/environment.json";
  const auto stored =
      std::filesystem::exists(file) ? nlohmann::json::parse(read_text_file(file), nullptr, false) : nlohmann::json();
  if (!stored.is_object()) {
    input.environment = environment(input.run);
    return;
  }
  const auto text = [](const nlohmann::json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_float() ? fmt::format("{:.2f}", value.get<double>()) : value.dump();
  };
  const auto add = [&](const std::string& name, const nlohmann::json& value) {
    if (!value.is_structured()) input.environment[name] = text(value);
  };
  for (const auto& [name, value] : stored.items()) {
    add(name, value);
    if (value.is_object()) {
      for (const auto& [part, number] : value.items()) add(name + " " + part, number);
    }
    if (value.is_array() && !value.empty()) {
      std::string all;
      for (const auto& item : value) all += (all.empty() ? "" : " ") + text(item);
      input.environment[name] = all;
    }
  }
}

}  // namespace

PageInput page_input(const RunVerdict& verdict, const std::string& folder) {
  PageInput input;
  input.run = verdict;
  read_environment(folder, input);
  read_trials(folder, input);
  read_events(folder, input);
  return input;
}

}  // namespace holdfast
