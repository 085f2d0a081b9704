// Annotations for GitHub Actions of what was not as expected: the format `annotations` (formats/annotations.cpp), with
// its type, for whoever prints it as commands.
#pragma once

#include "artifact/run_verdict.hpp"
#include "reports/workflow_commands.hpp"

namespace holdfast {

WorkflowCommands annotations(const RunVerdict&);

}  // namespace holdfast
