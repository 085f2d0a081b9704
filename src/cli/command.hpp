// The program's commands, one file each. A command adds itself to the parser and leaves its exit code behind.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>
#include <vector>

namespace holdfast {

void add_run(CLI::App& app, int& exit_code);
void add_try(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
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

// Not for people: the parts of a trial that are processes of their own.
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

// Nor these: what the doctor's folder, and packages, are made with.
void add_remove_when_over(CLI::App& app, int& exit_code);
void add_man_page(CLI::App& app, int& exit_code);

// Ctrl-C, and a command that is asked to end, are noted, so that it can save what it knows and leave nothing behind; a
// reader that goes away ends nothing.
//
//   const auto& interrupted = catch_interrupts();   // from here on
//   while (!interrupted.load()) ...
const std::atomic<bool>& catch_interrupts();
bool was_interrupted();  // since they are caught

// Where scenarios are: as the user named them, or else beside the program, wherever that was installed or moved to.
//
//   find_suite("scenarios/quick")   // that folder, where it is there; else that of the installation
//   find_suite("quick")             // the same, without the folder's name
//   find_suite("quick/kill")        // one scenario's file, without its ending
//
// All else that the program needs is inside it (statements, the clock library, the page), so that it may be moved.
// A name that is found nowhere is BadInput, with what it may have meant; a file's name (*.json) or an absolute path
// comes back as it is, for whoever opens it to refuse.
std::string find_suite(const std::string& named);

// Those that come with the program: SUITE and SUITE/SCENARIO, in the order of the alphabet.
std::vector<std::string> shipped_suites();

// A folder that comes with the program, beside the scenarios: "adapters". Empty: it is not there.
std::string shipped_folder(const std::string& name);

}  // namespace holdfast
