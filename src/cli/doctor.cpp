// `holdfast doctor`: tries everything that a run needs once, and reports what is missing and how to fix it.
#include "doctor/doctor.hpp"
#include "cli/help_text.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/foreseen_cells.hpp"
#include "cli/lock_words.hpp"
#include "cli/run_and_report.hpp"
#include "cli/run_flags.hpp"
#include "cli/terminal.hpp"
#include "doctor/resources.hpp"
#include "generate/generated_suite.hpp"

namespace holdfast {
namespace {

struct DoctorFlags {
  RunFlags run;  // its suites and their locks
  std::string out;
  std::string sabotage;
  int jobs = 0;
  bool needed = false;
  bool json = false;
  bool quiet = false;
};

// The scenarios to test for. A generated suite has all that the lock's first trial could add to it; without a lock,
// quick stands for it, which strikes its clients with the same faults.
std::vector<Scenario> scenarios_of(RunFlags flags) {
  take_suite_words(flags);
  if (flags.paths == std::vector<std::string>{kGenerated} && flags.locks.empty()) flags.paths = {"quick"};
  check_generated(flags);
  if (generates(flags)) return foreseen_cells(flags).possible.scenarios;
  SuiteOptions options;
  add_scenarios(flags, ".", options);
  return options.scenarios;
}

bool names_own_lock(const RunFlags& flags) {
  return !flags.locks.empty() || !flags.adapters.empty() || !flags.adapter_commands.empty() ||
         !flags.lock_files.empty();
}

int examine(const DoctorFlags& flags) {
  DoctorOptions options;
  RunFlags run = flags.run;
  if (run.paths.empty()) run.paths = {names_own_lock(run) ? kGenerated : "quick"};
  options.suite = fmt::format("{}", fmt::join(run.paths, " "));
  options.scenarios = scenarios_of(run);
  options.runs = "runs";
  options.only_needed = flags.needed;
  options.sabotage = flags.sabotage;
  options.jobs = flags.jobs > 0 ? flags.jobs : 4 * static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto& interrupted = catch_interrupts();
  const ScratchFolder folder(flags.out);
  options.folder = folder.path();
  const bool line = !flags.quiet && ::isatty(STDERR_FILENO) != 0;
  const Diagnosis found = diagnose(
      options,
      [line](int done, int of) {
        if (line) show_status(terminal_text("{} of {} trials", done, of));
      },
      interrupted);
  if (line) clear_status();
  if (interrupted.load()) return kExitInterrupted;
  if (flags.json) {
    print_json(diagnosis_json(found));
  } else {
    say("{}", terminal_lines(diagnosis_text(found)));
  }
  return found.can_run() ? kExitAsExpected : kExitUnavailable;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("doctor", "Test whether this machine can run a suite, and which faults it supports");
  give_examples(command, {"holdfast doctor", "holdfast doctor my_scenarios --needed --lock-file my_lock.sql"});
  auto flags = std::make_shared<DoctorFlags>();
  command->add_option("suite", flags->run.paths,
                      "Suites to test for: folders of scenarios, scenario files, generated, or my_lock.sql (default: "
                      "quick; generated, if a lock is named)");
  command->add_option(
      "--lock", flags->run.locks,
      "Lock that runs instead of the suite's locks, or for which a suite is generated; may be repeated");
  add_adapter_flags(command, flags->run);
  command->add_option("--out", flags->out, "Folder in which to keep the trials and their logs (default: removed)");
  command->add_option("--jobs", flags->jobs, "Trials in parallel (default: 4 per processor)")
      ->check(CLI::Range(1, 256));
  command->add_option("--sabotage", flags->sabotage)
      ->check(CLI::IsMember({"act", "heal", "fail", "undo_early"}))
      ->group("");
  command->add_flag("--needed", flags->needed, "Test only the capabilities that the suite needs");
  command->add_flag("--json", flags->json, "As JSON");
  command->add_flag("-q,--quiet", flags->quiet, "Do not show progress");
  command->callback([flags, &exit_code] { exit_code = examine(*flags); });
}

void add_remove_when_over(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("remove-when-over", "");
  command->group("");
  auto folder = std::make_shared<std::string>();
  command->add_option("--folder", *folder)->required();
  command->callback([folder] { remove_when_over(*folder); });
}

}  // namespace holdfast
