// `holdfast report`: writes the reports of an earlier run again, from its stored verdicts, or one of them in any
// format.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "artifact/beneath.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "history/history.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

struct ReportFlags {
  std::string folder = "runs/latest";
  std::string format;
  std::string out;
  std::string cell;
  int trial = 0;  // 0: the first, or with the finding
  bool json = false;
};

// A copy for somebody else: the run's own files stay as they are, and so the exit code is that of the copying.
void copy_as(const ReportFlags& flags, const RunVerdict& run) {
  const std::string text =
      format_text(format_input(run, flags.folder), flags.format, flags.cell, std::max(1, flags.trial));
  if (flags.out.empty()) {
    print_file(text);
    return;
  }
  const auto folder = std::filesystem::absolute(flags.out).parent_path();
  if (!std::filesystem::is_directory(folder)) throw BadInput("--out: there is no folder " + folder.string());
  write_text_file(flags.out, text);
}

// A verdict is worth as much as what it was made of. A history that is gone is another matter: runs are tidied up.
void check_histories(const RunVerdict& run, const std::string& folder) {
  const Beneath at(folder);
  for (const auto& cell : run.cells) {
    for (const auto& trial : cell.trials) {
      const std::string name = trial.folder + "/history.jsonl";
      if (at.has(name)) check_whole(at.file(name));
      if (const auto stored = stored_result(folder, trial.folder)) {
        check_evidence(at, trial.folder, stored->sums, Extant::what_is_left);
      }
    }
  }
}

int report(const ReportFlags& flags) {
  if (flags.trial > 0 && flags.cell.empty()) throw BadInput("--trial needs --cell: which cell's trial?");
  const RunVerdict run = stored_run(flags.folder);
  check_histories(run, flags.folder);
  if (!flags.format.empty()) {
    copy_as(flags, run);
    return kExitAsExpected;
  }
  if (!flags.out.empty() || !flags.cell.empty()) throw BadInput("--out and --cell need --format");
  write_report(run, flags.folder);
  print_result(run, flags.folder, flags.json, wants_colour("auto"));
  return run.exit_code;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", "Write the reports of an earlier run again, or one in any format");
  auto flags = std::make_shared<ReportFlags>();
  command->add_option("folder", flags->folder, "The run's folder")->capture_default_str();
  auto* format = command->add_option("--format", flags->format,
                                     "Print one format instead; then the exit code is 0 whatever the verdict");
  format->check(CLI::IsMember(entry_names(formats())));
  command->add_option("--out", flags->out, "Write it into this file");
  command->add_option("--cell", flags->cell,
                      "LOCK/SCENARIO, for a format of one trial (default: the most severe finding)");
  command->add_option("--trial", flags->trial, "Which of the cell's trials")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print the verdict as JSON")->excludes(format);
  command->callback([flags, &exit_code] { exit_code = report(*flags); });
}

}  // namespace holdfast
