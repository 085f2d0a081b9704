// `holdfast doctor`: tries everything that a run needs once, and reports what is missing and how to fix it.
#include "doctor/doctor.hpp"
#include "cli/help_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "artifact/error.hpp"
#include "cli/command.hpp"
#include "cli/run_flags.hpp"
#include "cli/terminal.hpp"
#include "doctor/resources.hpp"
#include "generate/generated_suite.hpp"

namespace holdfast {
namespace {

struct DoctorFlags {
  std::string suite = "quick";
  std::string out;
  std::string sabotage;
  int jobs = 0;
  bool needed = false;
  bool json = false;
  bool quiet = false;
};

int examine(const DoctorFlags& flags) {
  DoctorOptions options;
  options.suite = flags.suite;
  add_named_adapters({});
  // A generated suite strikes its clients as quick does.
  options.scenarios = load_suite(find_suite(flags.suite == kGenerated ? "quick" : flags.suite));
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
  give_examples(command, {"holdfast doctor", "holdfast doctor quick --needed"});
  auto flags = std::make_shared<DoctorFlags>();
  command->add_option("suite", flags->suite, "Suite to test for: a folder of scenarios, a scenario file, or generated")
      ->capture_default_str();
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
