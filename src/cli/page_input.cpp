#include "cli/page_input.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "artifact/beneath.hpp"
#include "artifact/json_reader.hpp"
#include "cli/environment.hpp"
#include "history/history.hpp"
#include "lock/lock.hpp"
#include "lock/lock_texts.hpp"
#include "reports/packed_trial.hpp"

namespace holdfast {
namespace {

void read_trials(const Beneath& run, PageInput& input) {
  for (const auto& cell : input.run.cells) {
    for (const auto& trial : cell.trials) {
      const std::string name = trial.folder + "/verdict.json";
      if (trial.folder.empty() || !run.has(name)) continue;
      input.trials[trial.folder] = read_json_file(run.file(name), trial_verdict_from_json);
    }
  }
}

// The gravest come first, and reading ends when no page could take more.
void read_events(const Beneath& run, PageInput& input) {
  std::size_t packed = 0;
  for (const TrialResult* trial : pictured_trials(input.run)) {
    const auto verdict = input.trials.find(trial->folder);
    const std::string name = trial->folder + "/history.jsonl";
    if (verdict == input.trials.end() || !run.has(name)) continue;
    if (packed > kLargestPage) {
      input.unpacked[trial->folder] = "the page would grow too large; they are in " + trial->folder + "/history.jsonl";
      continue;
    }
    try {
      HistoryReader history(run.file(name));
      packed += (input.packed[trial->folder] = packed_trial(history, verdict->second)).size();
    } catch (const BadInput& broken) {
      input.packed.erase(trial->folder);
      input.unpacked[trial->folder] = broken.what();
    }
  }
}

nlohmann::json stored_environment(const Beneath& run) {
  static const std::string kName = "environment.json";
  if (!run.has(kName)) return nullptr;
  try {
    return parse_json(run.read(kName), run.path_of(kName));
  } catch (const BadInput&) {
    return nullptr;  // as where there is none
  }
}

// What was written down when the run ended, which is right also where another machine renders the page again. A list
// within a list (the stalls of each trial) is left to the file.
void read_environment(const Beneath& run, PageInput& input) {
  const auto stored = stored_environment(run);
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

// Of locks that this program knows.
void read_instead(PageInput& input) {
  for (const auto& cell : input.run.cells) {
    const std::string lock = cell.lock.substr(0, cell.lock.find('+'));
    if (find_entry(locks(), lock) != nullptr) input.instead[cell.lock] = lock_texts(lock).instead;
  }
}

}  // namespace

PageInput page_input(const RunVerdict& verdict, const std::string& folder) {
  PageInput input;
  input.run = verdict;
  const Beneath run(folder);
  read_environment(run, input);
  read_trials(run, input);
  read_events(run, input);
  read_instead(input);
  return input;
}

}  // namespace holdfast
