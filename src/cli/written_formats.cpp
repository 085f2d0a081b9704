#include "cli/written_formats.hpp"

#include <cstring>
#include <string>

namespace holdfast {
namespace {

bool written_last(const FormatType& type) {
  return std::strcmp(type.file, "verdict.json") == 0;
}

void write_of_trials(const RunDirectory& run, const FormatInput& in, const FormatType& type) {
  for (const auto& cell : in.page.found.run.cells) {
    for (const auto& trial : cell.trials) {
      if (trial.verdict.judgement != Judgement::violated || !run.has_folder(trial.folder)) continue;
      const std::string text = type.of_trial(in, cell, trial);
      if (!text.empty()) run.write(trial.folder + "/" + type.file, text);
    }
  }
}

}  // namespace

void check_outputs(const RunDirectory& run) {
  run.has("environment.json");
  for (const auto& [name, type] : formats()) {
    if (type->file != nullptr && type->of_run != nullptr) run.has(type->file);
  }
}

void write_formats(const FormatInput& in) {
  const RunDirectory run(in.folder);
  check_outputs(run);
  // Formats per trial read the history. A broken one is refused before any file of the run is replaced.
  for (const auto& [name, type] : formats()) {
    if (type->file != nullptr && type->of_trial != nullptr) write_of_trials(run, in, *type);
  }
  for (const auto& [name, type] : formats()) {
    if (type->file != nullptr && type->of_run != nullptr && !written_last(*type))
      run.write(type->file, type->of_run(in));
  }
}

}  // namespace holdfast
