// `holdfast report`: writes an earlier run's reports again from its stored verdicts, or one format; the page of a
// single history from any tool; an index of all runs in a folder; and the changes between two runs.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/output_file.hpp"
#include "artifact/run_directory.hpp"
#include "checker/check.hpp"
#include "checker/model.hpp"
#include "cli/command.hpp"
#include "cli/found_schedules.hpp"
#include "cli/help_text.hpp"
#include "cli/output.hpp"
#include "cli/runs_index.hpp"
#include "cli/stored.hpp"
#include "cli/terminal.hpp"
#include "history/history.hpp"
#include "history/open_history.hpp"
#include "reports/durations.hpp"
#include "reports/history_page.hpp"
#include "reports/packed_trial.hpp"
#include "reports/two_runs.hpp"
#include "suite/stored_result.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

struct ReportFlags {
  std::string folder = "runs/latest";
  std::string format;
  std::string out;
  std::string cell;
  std::string model;
  std::string against;  // an earlier run's folder
  int trial = 0;        // 0: the first, or the one with the finding
  bool json = false;
};

// Writes a page to the user's path, else beside the input, replacing plain files only. `name`: the page's name in that
// folder; null: the input was a file. Prints its path.
std::string write_page(const std::string& out, const std::string& read, const char* name, const std::string& text) {
  if (!out.empty()) {
    write_output_file(out, text);
    return out;
  }
  const std::string page = name != nullptr ? read + "/" + name : read + ".html";
  name != nullptr ? RunDirectory(read).write(name, text) : write_text_file(page, text);
  return page;
}

// Makes a copy of a format: the run's own files stay, and the exit code is that of copying.
void copy_as(const ReportFlags& flags, const RunAssessment& found) {
  const std::string text =
      format_text(format_input(found, flags.folder), flags.format, flags.cell, std::max(1, flags.trial));
  if (flags.out.empty()) {
    print_file(text);
    return;
  }
  write_output_file(flags.out, text);
}

// Checks that a verdict's histories are unchanged. A missing history is allowed: runs are tidied up.
void check_histories(const RunVerdict& run, const std::string& folder) {
  const RunDirectory at(folder);
  for (const auto& cell : run.cells) {
    for (const auto& trial : cell.trials) {
      const std::string name = trial.folder + "/history.jsonl";
      if (at.has(name)) check_whole(at.file(name));
      if (const auto stored = stored_result(folder, trial.folder)) {
        check_evidence(at, trial.folder, stored->sums, MissingFiles::allowed);
      }
    }
  }
}

// Writes the page of the changes since another run. Both runs' own files stay, and the exit code is that of writing.
int report_changes(const ReportFlags& flags) {
  if (!flags.format.empty() || !flags.cell.empty() || flags.json) {
    throw BadInput("--against: cannot be combined with --format, --cell or --json; remedy: run the two commands");
  }
  const RunVerdict before = stored_run(flags.against);
  const RunVerdict now = stored_run(flags.folder);
  const TwoRuns both = compare_runs({from_here(flags.against), before}, {from_here(flags.folder), now});
  const std::string report = flags.out.empty() ? "./report.html" : "";
  const std::string page =
      write_page(flags.out, flags.folder, "against.html", two_runs_page(both, report, HOLDFAST_VERSION));
  say("{} · page: {}\n", change_counts(both), from_here(page));
  return kExitAsExpected;
}

int report_run(const ReportFlags& flags) {
  if (!flags.against.empty()) return report_changes(flags);
  const RunVerdict run = stored_run(flags.folder);
  check_histories(run, flags.folder);
  const RunAssessment found = assess(run, stored_schedules(flags.folder, run));
  if (!flags.format.empty()) {
    copy_as(flags, found);
    return kExitAsExpected;
  }
  if (!flags.out.empty() || !flags.cell.empty()) throw BadInput("--out and --cell need --format");
  write_report(found, flags.folder);
  print_result(found, flags.folder, flags.json, wants_colour("auto"));
  return run.exit_code;
}

// Returns true for a history file, and for a trial's folder, which contains one.
bool is_history(const std::string& path) {
  std::error_code none;
  if (!fs::is_directory(path, none)) return fs::exists(path, none);
  return fs::exists(fs::symlink_status(path + "/history.jsonl", none));
}

int report_history(const ReportFlags& flags) {
  if (!flags.format.empty() || !flags.cell.empty())
    throw BadInput(flags.folder +
                   ": --format and --cell apply only "
                   "to runs");
  HistoryPageInput in;
  in.name = fs::path(flags.folder).filename().string();
  in.version = HOLDFAST_VERSION;
  in.verdict = check_history(flags.folder, flags.model);
  TrialEvidence evidence =
      trial_evidence(*open_history(flags.folder), in.verdict, statement_templates(in.verdict.lock));
  in.packed = std::move(evidence.packed);
  in.sent = std::move(evidence.sent);
  in.counts = evidence.counts;
  ShellCommand again(program_as_typed());
  again.literal("report").word(flags.folder);
  if (!flags.model.empty()) again.flag("--model", flags.model);
  in.command = again.text();
  const bool folder = fs::is_directory(flags.folder);
  const std::string page = write_page(flags.out, flags.folder, folder ? "report.html" : nullptr, history_page(in));
  say("{} · page: {}\n", word_of_history(in.verdict), from_here(page));
  if (in.verdict.judgement == Judgement::violated) return kExitNotAsExpected;
  return word_of_history(in.verdict) == "HOLDS" ? kExitAsExpected : kExitUndecided;
}

int report_index(const ReportFlags& flags) {
  if (!flags.format.empty() || !flags.cell.empty())
    throw BadInput(flags.folder +
                   ": --format and --cell apply only "
                   "to runs");
  const RunsPageInput in = runs_in(flags.folder);
  const std::string page = write_page(flags.out, flags.folder, "index.html", runs_page(in));
  say("{} · page: {}\n", plural(static_cast<std::int64_t>(in.runs.size()), "run", "runs"), from_here(page));
  return kExitAsExpected;
}

int report(const ReportFlags& flags) {
  if (flags.trial > 0 && flags.cell.empty()) throw BadInput("--trial needs --cell, which names the trial's cell");
  if (!flags.out.empty()) check_output_place("--out", flags.out);
  const bool index = holds_runs(flags.folder);
  if (!flags.against.empty() && (index || is_history(flags.folder))) {
    throw BadInput("--against: " + flags.folder + " is not a run's folder; remedy: holdfast report RUN --against RUN");
  }
  if (flags.json && (index || is_history(flags.folder)))
    throw BadInput(
        "--json: needs a run; remedy: for a history, "
        "holdfast check --json");
  if (index) return report_index(flags);
  if (is_history(flags.folder)) return report_history(flags);
  if (!flags.model.empty())
    throw BadInput("--model: applies only to histories, but " + flags.folder + " is a run's folder");
  return report_run(flags);
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "report", "Write again the reports of an earlier run, or write the page of a history or an index of runs");
  give_examples(command, {"holdfast report", "holdfast report runs/latest --format junit --out junit.xml",
                          "holdfast report runs/latest --against OTHER_RUN"});
  auto flags = std::make_shared<ReportFlags>();
  command
      ->add_option("folder", flags->folder,
                   "A run's folder, a history (writes FILE.html), or a folder of runs (writes index.html)")
      ->capture_default_str();
  auto* format = command->add_option("--format", flags->format,
                                     "Print one format instead; the exit code is then 0, whatever the verdict");
  format->check(CLI::IsMember(entry_names(formats())));
  command->add_option("--out", flags->out, "Write the format to this file");
  command->add_option("--cell", flags->cell,
                      "LOCK/SCENARIO, for a format of one trial (default: the most severe finding)");
  command
      ->add_option("--against", flags->against,
                   "Another run's folder: write the page of the changes since that run (against.html) instead")
      ->type_name("RUN");
  command->add_option("--trial", flags->trial, "Number of the cell's trial")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  auto* model = command->add_option("--model", flags->model,
                                    "For a history: the model to judge by, as in holdfast "
                                    "check");
  command->add_flag("--json", flags->json, "Print the verdict as JSON")->excludes(format);
  command->callback([flags, model, &exit_code] {
    if (model->count() > 0) check_model(flags->model);
    exit_code = report(*flags);
  });
}

}  // namespace holdfast
