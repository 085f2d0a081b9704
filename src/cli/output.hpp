// What the commands print and write: results on standard output, progress on standard error.
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

// "./run" when the wrapper script started us, else the program's name as typed.
std::string program_as_typed();
std::string from_here(const std::string& path);  // relative to where we are, unless that is far away
std::string utc_now();                           // 2026-01-31T12:00:00Z
bool wants_colour(const std::string& choice);    // auto | always | never; NO_COLOR counts

// Assesses a run that has just ended, sets its sentence, and writes environment.json, every format, and verdict.json
// last. `schedules`: that a search found.
RunAssessment write_results(RunVerdict& verdict, const std::string& folder,
                            const std::vector<FoundSchedule>& schedules = {});

// The same of one whose trials did not all run here: `environment` is said instead of this machine's.
RunAssessment write_results(RunVerdict& verdict, const std::string& folder, const nlohmann::json& environment);

// A lock's statements as pages show them.
StatementTemplates statement_templates(const std::string& lock);

// Material of the formats: a run's assessment, its trials' verdicts with their timelines, the environment.
FormatInput format_input(const RunAssessment& found, const std::string& folder);

// Every format but verdict.json, from a run's folder: its verdict.json and those of its trials. What GitHub Actions
// reads is handed to it as well, where that is who runs us.
void write_report(const RunAssessment& found, const std::string& folder);

void print_result(const RunAssessment& found, const std::string& folder, bool json, bool colour);

// "holdfast: ..." on standard error. File names come from outside, and may hold anything.
void tell_error(const std::string& what);

// Why trials could not run here, on standard error.
void print_unavailable(const RunVerdict& verdict);

// One format as text. Of a trial's format `cell` (LOCK/SCENARIO) and `number` choose the trial; without a cell, that of
// the most severe finding. Throws BadInput when there is no such trial, or nothing to tell of it.
std::string format_text(const FormatInput& in, const std::string& name, const std::string& cell, int number);

}  // namespace holdfast
