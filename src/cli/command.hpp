// The program's commands, one file each. A command adds itself to the parser and sets its exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>
#include <vector>

namespace holdfast {

void add_run(CLI::App& app, int& exit_code);
void add_try(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_curve(CLI::App& app, int& exit_code);
void add_soak(CLI::App& app, int& exit_code);
void add_merge(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_locks(CLI::App& app, int& exit_code);
void add_table(CLI::App& app, int& exit_code);
void add_plan(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_explore(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);
void add_clean(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_adapter(CLI::App& app, int& exit_code);
void add_libraries(CLI::App& app, int& exit_code);

// Internal commands: processes of a trial.
void add_lab(CLI::App& app, int& exit_code);
void add_trial(CLI::App& app, int& exit_code);
void add_timekeeper(CLI::App& app, int& exit_code);
void add_client(CLI::App& app, int& exit_code);
void add_disk(CLI::App& app, int& exit_code);
void add_remote_pipe(CLI::App& app, int& exit_code);
void add_explorer(CLI::App& app, int& exit_code);
void add_request_explorer(CLI::App& app, int& exit_code);
void add_nothing(CLI::App& app, int& exit_code);
void add_lab_probe(CLI::App& app, int& exit_code);
void add_time_probe(CLI::App& app, int& exit_code);
void add_adapter_lab(CLI::App& app, int& exit_code);
void add_adapter_talk(CLI::App& app, int& exit_code);

// Internal commands for the doctor's folder and for packaging.
void add_remove_when_over(CLI::App& app, int& exit_code);
void add_man_page(CLI::App& app, int& exit_code);

// Records Ctrl-C and SIGTERM and says so at once, so that a command can save its results and clean up. A closed reader
// of the output does not end the process.
//
//   const auto& interrupted = catch_interrupts();   // from here on
//   while (!interrupted.load()) ...
const std::atomic<bool>& catch_interrupts();
bool was_interrupted();  // since catch_interrupts was called

// Finds scenarios: at the path given by the user, or else in the installation, wherever it is. A folder without a
// scenario does not hide a suite of the installation.
//
//   find_suite("scenarios/quick")   // that folder if it exists, else the installation's
//   find_suite("quick")             // the same without the folder's name
//   find_suite("quick/kill")        // a scenario's file without its extension
//
// Everything else that the program needs is embedded (statements, the clock library, the page), so the program can be
// moved. An unknown name is BadInput with a suggestion; a file name (*.json) or absolute path is returned unchanged,
// and opening it reports any error.
std::string find_suite(const std::string& named);

// Suites shipped with the program: SUITE and SUITE/SCENARIO, in alphabetical order.
std::vector<std::string> shipped_suites();

// Path of a folder shipped beside the scenarios: "adapters". Empty: it does not exist.
std::string shipped_folder(const std::string& name);

// The same; throws HarnessError with the places where it was looked for.
std::string needed_folder(const std::string& name);

}  // namespace holdfast
