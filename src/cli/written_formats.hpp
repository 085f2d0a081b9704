// The files of a run's formats: where they are written, and whether they can be.
#pragma once

#include "artifact/run_directory.hpp"
#include "reports/format.hpp"

namespace holdfast {

// Throws BadInput if something other than a plain file is where a run writes its files. Called before the work begins,
// so that a refusal leaves all files as they were.
void check_outputs(const RunDirectory& run);

// Writes each format that has a file, except verdict.json, which the caller writes last. Formats per trial are written
// for trials with violations.
void write_formats(const FormatInput& in);

}  // namespace holdfast
