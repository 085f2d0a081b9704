// Output of the commands: results on standard output, progress on standard error.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "artifact/shell_command.hpp"
#include "reports/assessment.hpp"
#include "reports/format.hpp"
#include "reports/sent_statements.hpp"

namespace holdfast {

// "./run" if started by the wrapper script, else the program's name as typed.
std::string program_as_typed();
std::string from_here(const std::string& path);  // relative to the working directory unless far away
std::string utc_now();                           // 2026-01-31T12:00:00Z
bool wants_colour(const std::string& choice);    // auto | always | never; NO_COLOR is respected

// Assesses a finished run, sets its sentence, and writes environment.json, every format, and verdict.json last.
// `schedules`: those found by a search.
RunAssessment write_results(RunVerdict& verdict, const std::string& folder,
                            const std::vector<FoundSchedule>& schedules = {});

// The same for a run with trials from other machines: uses `environment` instead of this machine's.
RunAssessment write_results(RunVerdict& verdict, const std::string& folder, const nlohmann::json& environment);

// A lock's statements as pages show them.
StatementTemplates statement_templates(const std::string& lock);

// Material of the formats: a run's assessment, its trials' verdicts with their timelines, the environment.
FormatInput format_input(const RunAssessment& found, const std::string& folder);

// Writes every format except verdict.json, from a run's folder: its verdict.json and those of its trials. Under GitHub
// Actions also writes its summary and annotations.
void write_report(const RunAssessment& found, const std::string& folder);

void print_result(const RunAssessment& found, const std::string& folder, bool json, bool colour);

// Prints "holdfast: ..." to standard error. File names come from outside and may contain anything.
void tell_error(const std::string& what);

// Prints on standard error why trials could not run here.
void print_unavailable(const RunVerdict& verdict);

// Returns one format as text. For formats per trial, `cell` (LOCK/SCENARIO) and `number` select the trial; by default
// that of the most severe finding. Throws BadInput if there is no such trial, or nothing to show.
std::string format_text(const FormatInput& in, const std::string& name, const std::string& cell, int number);

}  // namespace holdfast
