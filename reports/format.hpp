// A form in which a run is handed on: to a browser, a build server, a trace viewer, a script. One file of formats/
// each; the folder is the registry. All word the same assessment (assessment.hpp), so that no two differ.
//
//   extern const FormatType format_junit;
//   const FormatType format_junit{.about = "JUnit XML", .file = "junit.xml", .of_run = junit_xml};
//
// A format is of the whole run (`of_run`) or of one trial (`of_trial`), and is written into the folder of the one or of
// the other, by `run`, by `explore` and by `report`; one without a file is only printed. It writes valid text whatever
// a name, a key or an error holds, through the writer of its kind of text (CONTRIBUTING.md), and no line of it is a
// command to GitHub's runner. It judges nothing, and takes no outcome that is not as expected for a pass.
#pragma once

#include <string>
#include <vector>

#include "artifact/entry.hpp"
#include "artifact/run_verdict.hpp"
#include "artifact/source_place.hpp"
#include "reports/page.hpp"
#include "reports/workflow_commands.hpp"

namespace holdfast {

struct FormatInput {
  PageInput page;          // the run's assessment, the trials' verdicts with their timelines, the environment
  std::string folder;      // of the run, for formats that read histories; empty: none
  SourcePlaces sources{};  // of the user's own locks
};

struct FormatType {
  const char* about = "";
  const char* file = nullptr;  // its name in the folder of the run, or of the trial; null: it is printed only
  std::string (*of_run)(const FormatInput&) = nullptr;
  std::string (*of_trial)(const FormatInput&, const Cell&, const TrialResult&) = nullptr;
};

const std::vector<Entry<FormatType>>& formats();

// Annotations for GitHub Actions of cells that were not as expected: the format `annotations`
// (reports/formats/annotations.cpp), with its type, for callers that print it as commands.

WorkflowCommands annotations(const RunAssessment&, const SourcePlaces& sources = {});

}  // namespace holdfast
