// The program's commands, one file each. A command adds itself to the parser and leaves its exit code behind.
#pragma once

#include <CLI/CLI.hpp>

namespace holdfast {

void add_run(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
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

// Not for people: the parts of a trial that are processes of their own.
void add_lab(CLI::App& app, int& exit_code);
void add_trial(CLI::App& app, int& exit_code);
void add_client(CLI::App& app, int& exit_code);
void add_explorer(CLI::App& app, int& exit_code);
void add_nothing(CLI::App& app, int& exit_code);
void add_lab_probe(CLI::App& app, int& exit_code);
void add_adapter_lab(CLI::App& app, int& exit_code);
void add_adapter_talk(CLI::App& app, int& exit_code);

// Nor these: what the doctor's folder, and packages, are made with.
void add_remove_when_over(CLI::App& app, int& exit_code);
void add_man_page(CLI::App& app, int& exit_code);

}  // namespace holdfast
