#include "cli/run_formats.hpp"

#include <algorithm>
#include <cstring>

#include "artifact/beneath.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "reports/finding.hpp"

namespace holdfast {
namespace {

bool written_last(const FormatType& type) {
  return std::strcmp(type.file, "verdict.json") == 0;
}

void write_of_trials(const Beneath& run, const FormatInput& in, const FormatType& type) {
  for (const auto& cell : in.page.run.cells) {
    for (const auto& trial : cell.trials) {
      if (trial.verdict.judgement != Judgement::violated || !run.has_folder(trial.folder)) continue;
      const std::string text = type.of_trial(in, cell, trial);
      if (!text.empty()) run.write(trial.folder + "/" + type.file, text);
    }
  }
}

std::string formats_of_trial() {
  std::string names;
  for (const auto& [name, type] : formats()) {
    if (type->of_trial != nullptr) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

std::pair<const Cell*, const TrialResult*> chosen_trial(const FormatInput& in, const std::string& name, int number) {
  if (name.empty()) {
    const Finding found = severest_finding(in.page.run);
    if (found.trial == nullptr) {
      throw BadInput("nothing was violated in " + in.folder + ": which trial? remedy: --cell LOCK/SCENARIO");
    }
    return {found.cell, found.trial};
  }
  std::vector<std::string> names;
  for (const auto& cell : in.page.run.cells) {
    names.push_back(cell.lock + "/" + cell.scenario);
    if (names.back() != name) continue;
    const auto trial = std::find_if(cell.trials.begin(), cell.trials.end(),
                                    [number](const TrialResult& t) { return t.number == number; });
    if (trial != cell.trials.end()) return {&cell, &*trial};
    throw BadInput("--trial " + std::to_string(number) + ": " + name + " has " + std::to_string(cell.trials.size()) +
                   " trials in " + in.folder);
  }
  throw BadInput(unknown_word("cell", name, names));
}

}  // namespace

void write_formats(const FormatInput& in) {
  const Beneath run(in.folder);
  for (const auto& [name, type] : formats()) {
    if (type->file == nullptr || written_last(*type)) continue;
    if (type->of_run != nullptr) {
      run.write(type->file, type->of_run(in));
    } else {
      write_of_trials(run, in, *type);
    }
  }
}

std::string format_text(const FormatInput& in, const std::string& name, const std::string& cell, int number) {
  const FormatType* type = find_entry(formats(), name);
  if (type == nullptr) throw BadInput(unknown_word("format", name, entry_names(formats())));
  if (type->of_run != nullptr && !cell.empty()) {
    throw BadInput("--cell: the format " + name + " is of a whole run; of one trial is: " + formats_of_trial());
  }
  if (type->of_run != nullptr) return type->of_run(in);
  const auto [of_cell, trial] = chosen_trial(in, cell, number);
  std::string text = type->of_trial(in, *of_cell, *trial);
  if (text.empty())
    throw BadInput(in.folder + "/" + trial->folder + ": has no verdict.json to make a " + name + " from");
  return text;
}

}  // namespace holdfast
